# Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# What crail needs of a machine: a JDK >= 17 and Maven, for bin/test shellcheck, for the tests in a
# virtual machine QEMU, cpio and kmod, for bin/crail bench nvmf and its test fio, and for the native
# half of RDMA a C compiler, make and headers. Sourced by bin/crail, bin/test, native-rdma/build.sh and
# the scripts of system-tests/vm. As root, or with --install, what is missing is installed by apt; else
# the user is told which command does it, and the script ends with 69 (EX_UNAVAILABLE).

readonly MINIMUM_JAVA=17
readonly EX_UNAVAILABLE=69
readonly EX_CONFIG=78

# The feature version (17, 21, ...) of the Java in directory $1; nothing when there is none.
java_feature_version() {
  local home=$1 line version=
  [[ -x $home/bin/java ]] || return 0
  # Reading the release file is some 50 ms faster than to start a JVM.
  if [[ -r $home/release ]]; then
    while IFS= read -r line; do
      [[ $line == JAVA_VERSION=* ]] && version=${line#JAVA_VERSION=}
    done <"$home/release"
  else
    line=$("$home/bin/java" -version 2>&1 </dev/null | grep -m1 ' version ') || return 0
    version=${line#* version }
  fi
  version=${version//\"/}
  version=${version%% *}
  version=${version#1.}
  printf '%s\n' "${version%%[!0-9]*}"
}

# check_homes HOME: ends the script with 78 (EX_CONFIG) when JAVA_HOME names no Java that crail can use:
# whoever sets it means that one, and would not notice that another is used. Tells of a CRAIL_HOME that
# is not the directory HOME of this script, which is what counts.
check_homes() {
  local version
  if [[ -n ${JAVA_HOME:-} ]]; then
    version=$(java_feature_version "$JAVA_HOME")
    if [[ ! -x $JAVA_HOME/bin/java ]]; then
      wrong_java_home 'there is no bin/java'
    elif [[ -z $version ]]; then
      wrong_java_home 'its version cannot be told'
    elif ((version < MINIMUM_JAVA)); then
      wrong_java_home "that is Java $version, and crail needs $MINIMUM_JAVA or later"
    fi
  fi
  if [[ -n ${CRAIL_HOME:-} && $(readlink -f -- "$CRAIL_HOME") != "$1" ]]; then
    printf '%s: CRAIL_HOME is %s, but this is the crail of %s, and that is used\n' \
      "${0##*/}" "$CRAIL_HOME" "$1" >&2
  fi
}

wrong_java_home() {
  printf '%s: JAVA_HOME is %s: %s; correct it, or unset it to have a Java looked for\n' \
    "${0##*/}" "$JAVA_HOME" "$1" >&2
  exit "$EX_CONFIG"
}

# Prints one per line the directories in which a Java may be, the most wanted first.
java_candidates() {
  local on_path
  [[ -z ${JAVA_HOME:-} ]] || printf '%s\n' "$JAVA_HOME"
  if on_path=$(command -v java); then
    on_path=$(readlink -f -- "$on_path")
    printf '%s\n' "${on_path%/bin/java}"
  fi
  printf '%s\n' /usr/lib/jvm/*/ | sed 's:/$::'
}

# find_java PROGRAM [VERSION]: sets java_home to the first Java >= 17 that has bin/PROGRAM (java or javac) and
# java_version to its feature version; fails when there is none. With VERSION, only that one counts.
# shellcheck disable=SC2034  # both are read by the scripts that source this file
find_java() {
  local program=$1 wanted=${2:-} candidate version
  while IFS= read -r candidate; do
    [[ -x $candidate/bin/$program ]] || continue
    version=$(java_feature_version "$candidate")
    if [[ -n $version ]] && ((version >= MINIMUM_JAVA && version == ${wanted:-version})); then
      java_home=$candidate
      java_version=$version
      return 0
    fi
  done < <(java_candidates)
  return 1
}

# The package of a JDK: 17 where the distribution has it, its default JDK elsewhere.
jdk_package() {
  if apt-cache show openjdk-17-jdk-headless >/dev/null 2>&1; then
    echo openjdk-17-jdk-headless
  else
    echo default-jdk-headless
  fi
}

# install_packages NAME...: "jdk" stands for the JDK's package. Quiet, the log is shown on failure.
install_packages() {
  local log as_root=() packages=() name
  log=$(mktemp)
  ((EUID == 0)) || as_root=(sudo)
  printf 'installing %s (apt-get)\n' "$*" >&2
  if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq >"$log" 2>&1; then
    # An unreachable source need not matter: the install decides.
    printf 'apt-get update failed, trying with the lists at hand\n' >&2
  fi
  for name in "$@"; do
    [[ $name == jdk ]] && name=$(jdk_package)
    packages+=("$name")
  done
  if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${packages[@]}" >>"$log" 2>&1 </dev/null; then
    cat -- "$log" >&2
    rm -f -- "$log"
    printf 'could not install: %s\n' "${packages[*]}" >&2
    return 1
  fi
  rm -f -- "$log"
}

# download_packages INSTALL DIRECTORY PACKAGE...: the files of the packages, none of which is installed.
# The lists of what there is are renewed first by who may. Fails, with apt's words, when one is not to be
# had.
download_packages() {
  local install=$1 directory=$2 as_root=()
  shift 2
  if ((EUID == 0)) || [[ $install == yes ]]; then
    ((EUID == 0)) || as_root=(sudo)
    "${as_root[@]}" apt-get update -qq ||
      printf 'apt-get update failed, trying with the lists at hand\n' >&2
  fi
  # As who runs this: apt's own user, which it takes for downloads, need not see the directory.
  (cd -- "$directory" && apt-get download -qq -o APT::Sandbox::User="$(id -un)" "$@")
}

# require INSTALL TOOL...: makes sure that each of jdk, maven, shellcheck, qemu-system-x86, cpio, kmod, fio, gcc,
# make, libc6-dev, libibverbs-dev, librdmacm-dev is there. INSTALL is "yes" when the user asked for installation. Ends
# the script with 69 when something remains missing.
require() {
  local install=$1 tool missing=() names=()
  shift
  for tool in "$@"; do
    case $tool in
      jdk)
        [[ -z ${JAVA_HOME:-} || -x $JAVA_HOME/bin/javac ]] ||
          wrong_java_home 'it has no compiler (bin/javac), which building crail needs'
        find_java javac || missing+=(jdk)
        ;;
      maven) command -v mvn >/dev/null || missing+=(maven) ;;
      qemu-system-x86) command -v qemu-system-x86_64 >/dev/null || missing+=("$tool") ;;
      libc6-dev) [[ -e /usr/include/stdio.h ]] || missing+=("$tool") ;;
      libibverbs-dev) [[ -e /usr/include/infiniband/verbs.h ]] || missing+=("$tool") ;;
      librdmacm-dev) [[ -e /usr/include/rdma/rdma_cma.h ]] || missing+=("$tool") ;;
      *) command -v "$tool" >/dev/null || missing+=("$tool") ;;
    esac
  done
  ((${#missing[@]} > 0)) || return 0

  if command -v apt-get >/dev/null && { ((EUID == 0)) || [[ $install == yes ]]; }; then
    install_packages "${missing[@]}" || exit "$EX_UNAVAILABLE"
    hash -r
    [[ " ${missing[*]} " != *" jdk "* ]] || find_java javac || exit "$EX_UNAVAILABLE"
    return 0
  fi

  for tool in "${missing[@]}"; do
    [[ $tool == jdk ]] && tool=openjdk-17-jdk-headless
    names+=("$tool")
  done
  {
    printf '%s needs %s' "${0##*/}" "${names[*]}"
    [[ " ${missing[*]} " != *" jdk "* ]] ||
      printf ' (a JDK >= %s counts, also by JAVA_HOME)' "$MINIMUM_JAVA"
    printf '. Install with\n  sudo apt-get update && sudo apt-get install -y %s\n' "${names[*]}"
    printf 'or let this script do it: %s --install\n' "$0"
  } >&2
  exit "$EX_UNAVAILABLE"
}
