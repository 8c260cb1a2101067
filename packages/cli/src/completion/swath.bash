# Completion of swath for bash: eval "$(swath completion bash)"
# Short names of maps begin with @, which bash otherwise takes for the end of a word.
COMP_WORDBREAKS=${COMP_WORDBREAKS//@/}
_swath() {
  local IFS=$'\n'
  COMPREPLY=($(swath __complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _swath swath
