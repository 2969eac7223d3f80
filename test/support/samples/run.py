"""Runs samples one after another in this process, each with a namespace and an environment of its own."""

import contextlib
import io
import json
import os
import sys
import traceback

for sample in json.load(open(sys.argv[1])):
    os.environ.update(sample["env"])
    output = io.StringIO()
    error = None
    try:
        with contextlib.redirect_stdout(output):
            exec(compile(sample["text"], sample["id"], "exec"), {"__name__": "__main__"})
    except SystemExit as end:
        error = end.code and str(end.code)
    except Exception:
        error = traceback.format_exc()
    print(json.dumps({"id": sample["id"], "output": output.getvalue(), "error": error}))
