# shellcheck shell=bash

# Completes the paths of crail, too, for 'crail fs' and 'crail kv'. The cluster is asked briefly: without
# an answer there is nothing to choose from, and nothing is said.
function _crail_paths() {
  local path quoted begin="${COMP_WORDS[COMP_CWORD]//\\/}" options=() option
  for option in --namenode --config; do
    case " ${COMP_LINE}" in
      *" ${option}"[=\ ]*)
        path="${COMP_LINE##* "${option}"?}"
        options+=("${option}=${path%% *}")
        ;;
    esac
  done
  while IFS= read -r path; do
    printf -v quoted '%q' "${path}"
    COMPREPLY+=("${quoted}")
  done < <(CRAIL_COMPLETING=1 timeout -k 1 3 @LAUNCHER@ fs complete-path --timeout=1s \
    "${options[@]}" -- "${begin}" 2>/dev/null </dev/null)
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == */ ]]; then
    type compopt &>/dev/null && compopt -o nospace
  fi
}

function _crail_complete() {
  _complete_crail "$@"
  local word="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" group='' name='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ -n ${group} && -z ${name} ]]; then
      name="${COMP_WORDS[i]}"
    elif [[ -z ${group} && (${COMP_WORDS[i]} == fs || ${COMP_WORDS[i]} == kv) ]]; then
      group="${COMP_WORDS[i]}"
    fi
  done
  if [[ -z ${name} || ${word} == -* || ${previous} == --config || ${previous} == --file ]]; then
    return 0
  fi
  if [[ ${group} == fs && (${name} == put || ${name} == get) ]]; then
    # One end of the copy is local.
    while IFS= read -r name; do
      COMPREPLY+=("${name}")
    done < <(compgen -f -- "${word}")
    type compopt &>/dev/null && compopt -o filenames
  fi
  if [[ ${word} == /* ]]; then
    _crail_paths
  fi
  return 0
}

complete -F _crail_complete -o default crail crail.sh crail.bash
