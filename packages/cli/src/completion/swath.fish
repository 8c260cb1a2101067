# Completion of swath for fish: swath completion fish | source
function __swath_complete
    set -l before (commandline -opc)
    set -l found (swath __complete -- $before[2..-1] (commandline -ct) 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c swath -f -a '(__swath_complete)'
