import type { Shell } from './completion.ts'

/** Returns the completion script of a shell. It calls this program and has no list of its own, so it never becomes stale. */
export const scripts: Readonly<Record<Shell, string>> = {
  bash: `# countroom completion for bash. Load it with: source <(countroom completion bash)
_countroom() {
  local IFS=$'\\n' line="\${COMP_LINE:0:COMP_POINT}" cur="\${COMP_WORDS[COMP_CWORD]}"
  local words=("\${COMP_WORDS[@]:1:COMP_CWORD}") rest=("\${COMP_WORDS[@]:COMP_CWORD+1}")
  # With the cursor between two words Bash takes the later one for the current; the current one is empty.
  if [[ -n $cur && $line == *[[:space:]] && $line != *"$cur" ]]; then
    words=("\${COMP_WORDS[@]:1:COMP_CWORD-1}" "") rest=("\${COMP_WORDS[@]:COMP_CWORD}")
  fi
  # Bash takes "=" and ":" for ends of words; --flag=value is put together again here and cut off again below.
  local joined=() word
  for word in "\${words[@]}"; do
    if [[ \${#joined[@]} -gt 0 && ( $word == "=" || \${joined[-1]} == --*= ) ]]; then joined[-1]+="$word"; else joined+=("$word"); fi
  done
  local prefix=""
  if [[ \${joined[-1]} == --*=* ]]; then prefix="\${joined[-1]%%=*}="; fi
  COMPREPLY=()
  local reply
  while read -r reply; do COMPREPLY+=("\${reply#"$prefix"}"); done < <(COUNTROOM_COMPLETE_REST="\${rest[*]}" "\${COMP_WORDS[0]}" __complete bash "\${joined[@]}" 2>/dev/null)
}
# The newest names come first; Bash before 4.4 sorts them.
complete -o nosort -o default -o bashdefault -F _countroom countroom 2>/dev/null || complete -o default -o bashdefault -F _countroom countroom
`,
  zsh: `#compdef countroom
# countroom completion for zsh. Load it with: source <(countroom completion zsh)
_countroom() {
  local -a found
  found=("\${(@f)$(COUNTROOM_COMPLETE_REST="\${(pj:\\n:)words[CURRENT+1,-1]}" "\${words[1]}" __complete zsh "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ \${#found} -eq 0 || -z "\${found[1]}" ]]; then _files; else _describe -V 'countroom' found; fi
}
if [[ "\${funcstack[1]}" == "_countroom" ]]; then _countroom "$@"; else compdef _countroom countroom; fi
`,
  fish: `# countroom completion for fish. Load it with: countroom completion fish | source
function __countroom_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    # All words have the one at the cursor only if it is not empty.
    set -l known $before
    test -n "$current"; and set -a known $current
    set -l all (commandline -op)
    set -l rest
    if test (count $all) -gt (count $known)
        set rest $all[(math (count $known) + 1)..-1]
    end
    set -l found (COUNTROOM_COMPLETE_REST=(string join \\t -- $rest) $before[1] __complete fish $before[2..-1] "$current" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c countroom -f -k -a '(__countroom_complete)'
`,
  powershell: `# countroom completion for PowerShell. Load it with: countroom completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName countroom -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -le $cursorPosition } | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
    if ($wordToComplete -eq '') { $words += '' }
    $rest = @($commandAst.CommandElements | Where-Object { $_.Extent.StartOffset -ge $cursorPosition } | ForEach-Object { $_.ToString() })
    # Older PowerShell drops an empty argument on its way to a program; a lone quoted pair survives.
    $arguments = $words | ForEach-Object { if ($_ -eq '' -and $PSVersionTable.PSVersion -lt [version]'7.3') { '""' } else { $_ } }
    $env:COUNTROOM_COMPLETE_REST = $rest -join "\`t"
    try {
        & countroom __complete powershell @arguments 2>$null | ForEach-Object {
            $parts = $_ -split "\`t", 2
            $about = if ($parts.Length -gt 1 -and $parts[1]) { $parts[1] } else { $parts[0] }
            [System.Management.Automation.CompletionResult]::new($parts[0], $parts[0], 'ParameterValue', $about)
        }
    } finally {
        Remove-Item Env:COUNTROOM_COMPLETE_REST -ErrorAction SilentlyContinue
    }
}
`,
}
