#compdef swath
# Completion of swath for zsh: eval "$(swath completion zsh)", after compinit
_swath() {
  local line value
  local -a candidates
  for line in ${(f)"$(swath __complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"}; do
    value=${line%%$'\t'*}
    candidates+=("${value//:/\\:}:${line#*$'\t'}")
  done
  if (( $#candidates )); then _describe swath candidates; else _files; fi
}
compdef _swath swath
