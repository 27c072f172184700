# What the scripts share: where the tree is, the packages they need, and compilers for GPUs from their wheels. Sourced by bash.
# Nothing is installed without a question, unless root runs without a terminal (a container, CI).
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tools=${XDG_CACHE_HOME:-${HOME:-$root/build}/.cache}/glass-tools
jobs=$(nproc 2>/dev/null || echo 2)

say() { printf '\n== %s\n' "$*"; }
fail() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

# ask QUESTION: true if the answer is yes; without a terminal only root says yes.
ask() {
  if [[ -t 0 && -z ${CI:-} ]]; then
    local answer
    read -r -p "$1 [Y/n] " answer
    [[ -z $answer || $answer == [yY]* ]]
  else
    [[ $(id -u) == 0 ]]
  fi
}

# need_packages NAME…: installs those of the Debian packages that are missing.
need_packages() {
  if ! command -v dpkg-query >/dev/null; then
    echo "No dpkg here: the packages are taken to be installed ($*)."
    return
  fi
  local missing=() name
  for name in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null) == installed ]] || missing+=("$name")
  done
  ((${#missing[@]})) || return 0
  local how="apt-get install --no-install-recommends ${missing[*]}" as=()
  if [[ $(id -u) != 0 ]]; then
    if [[ ! -t 0 ]] || ! command -v sudo >/dev/null; then fail "packages are missing; run as root: $how"; fi
    as=(sudo)
  fi
  ask "Install these packages of the distribution: ${missing[*]}?" || fail "packages are missing; run as root: $how"
  say "Installing ${missing[*]}"
  "${as[@]}" apt-get update -qq || echo "The package lists could not be renewed; trying with those at hand."
  "${as[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
    fail "these packages could not be installed: ${missing[*]}"
}

build_packages=(cmake ninja-build g++ libsqlite3-dev libspdlog-dev libfmt-dev libcli11-dev nlohmann-json3-dev libsodium-dev)
test_packages=(libgtest-dev libgmock-dev libeigen3-dev clang clang-format libclang-rt-dev openssh-client python3 python3-matplotlib python3-numpy python3-scipy)
fleet_packages=(slurmctld slurmd slurm-client parallel)   # tests/fleet; nothing is started by installing them

# nvrtc_wheel PROJECT VERSION FOLDER: the run-time compiler's wheel, unpacked into FOLDER once. False when it cannot be had.
nvrtc_wheel() {
  local wheel=$1==$2 folder=$3 fresh
  [[ -e $folder/$1-$2.complete ]] && return 0
  python3 -m pip --version >/dev/null 2>&1 || return 1
  say "Fetching $wheel"
  mkdir -p "$(dirname "$folder")"
  fresh=$(mktemp -d "$folder.XXXXXX")
  if ! PIP_ROOT_USER_ACTION=ignore python3 -m pip install -q --disable-pip-version-check --no-deps --target "$fresh" "$wheel"; then
    rm -rf "$fresh"
    return 1
  fi
  touch "$fresh/$1-$2.complete"
  rm -rf "$folder"
  mv -T "$fresh" "$folder" 2>/dev/null || rm -rf "$fresh"   # another process was first
  [[ -e $folder/$1-$2.complete ]]
}

# A GPU without a CUDA toolkit gets NVRTC from its wheel, in the folder where the library looks for it. Never an error: without, the
# host is used, and `glass info` says what is missing.
nvrtc_for_gpu() {
  command -v nvidia-smi >/dev/null && nvidia-smi -L 2>/dev/null | grep -q GPU || return 0
  [[ -n ${GLASS_NVRTC:-} ]] && return 0
  ldconfig -p 2>/dev/null | grep -q 'libnvrtc\.so' && return 0
  compgen -G "${CUDA_HOME:-${CUDA_PATH:-/usr/local/cuda}}/lib64/libnvrtc.so*" >/dev/null && return 0
  local folder=${XDG_DATA_HOME:-$HOME/.local/share}/glass/nvrtc project=nvidia-cuda-nvrtc version=13.5.37
  case $(nvidia-smi | sed -n 's/.*CUDA Version: *\([0-9]*\)\..*/\1/p' | head -1) in
    12) project=nvidia-cuda-nvrtc-cu12 version=12.9.86 ;;
    11) project=nvidia-cuda-nvrtc-cu11 version=11.8.89 ;;
  esac
  compgen -G "$folder/nvidia/*/lib/libnvrtc.so*" >/dev/null && return 0
  ask "A GPU is here, but no run-time compiler for it. Fetch $project $version into $folder?" || return 0
  python3 -m pip --version >/dev/null 2>&1 || need_packages python3 python3-pip
  nvrtc_wheel "$project" "$version" "$folder" || echo "It could not be fetched (no network?): the GPU stays unused until NVRTC is there."
}
