#!/usr/bin/env bash
# Runs the samples of a folder with bash or php: PROGRAM FOLDER, two at once. Each has a file with its environment; its output and
# exit code are written next to it.
export PROGRAM=$1
one() {
  set -a
  . "$1.env"
  $PROGRAM "$1" >"$1.out" 2>"$1.err"
  echo $? >"$1.code"
}
export -f one
find "$2" -name '*.sample' | sort | xargs -P 2 -I {} bash -c 'one {}'
