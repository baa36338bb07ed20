#!/usr/bin/env bash
# Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
#
# Runs each line of its standard input as a command, one after the other, in the same directory and with
# nothing to read. A line that begins with the character SOH tells what the test cannot tell by itself:
# "ready" at first, and "exit STATUS" after all that a command has printed.

printf '\001ready\n'
while IFS= read -r command; do
  bash -c "$command" </dev/null 2>&1
  # On a line of its own, though the output may end within one.
  printf '\n\001exit %d\n' $?
done
