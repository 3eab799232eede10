# SPDX-License-Identifier: MIT
# Completion of the graphws tools for fish. It asks the tools themselves: --help lists the options and the words that they
# take, and an option's own help (--policy help) lists what is chosen by name. So it cannot fall behind them.

# The values of an option: __graphws_values HELP OPTION COMMAND ... Of "V|random|maxdegree" they are the words in small
# letters; "NAME|help" asks the option.
function __graphws_values
    set -l help $argv[1]
    set -l option $argv[2]
    set -l command $argv[3..-1]
    set -l argument (printf '%s\n' $help | string replace -rf -- "^ *(?:-[a-z], )?(?:$option|$option, --[a-z0-9-]+)[= ](\S+).*" '$1')[1]
    string split '|' -- $argument | string match -r '^[a-z].*' | string match -v help
    if string match -q '*|help' -- $argument
        $command $option help 2>/dev/null | string replace -r ' .*' ''
    end
end

# The completions of the last of the words, which are $argv: options, values behind "--option=" or an option, and names of
# algorithms and workloads.
function __graphws
    set -l command $argv[1]
    set -l name (string replace -r '.*/' '' -- $argv[1])
    set -l before $argv[-2]
    set -l current $argv[-1]
    if contains -- $name graphws gsim gtask; and test (count $argv) -gt 2; and not string match -q -- '-*' $argv[2]
        set -a command $argv[2]
    end
    set -l help ($command --help 2>/dev/null | string collect)
    if string match -q -- '--*=*' $current
        set -l option (string split -m 1 = -- $current)[1]
        printf '%s\n' $option=(__graphws_values $help $option $command)
    else if string match -q -- '-*' $current
        printf '%s\n' $help | string match -r -- '^ *(?:-[a-z], )?--[a-z0-9-]+=?|^ *-[a-z] ' | string match -r -- '--[a-z0-9-]+=?|-[a-z](?= $)'
    else if string match -q -- '-?*' $before
        __graphws_values $help $before $command
    else if contains -- $name graphws gsim gtask; and test (count $argv) -eq 2
        printf '%s\n' $help | sed -nE '1,/^$/s/^  ([a-z0-9-]+) .*/\1/p'
    end
end

# True if there are such completions, which $__graphws_found then holds; otherwise fish completes names of files.
function __graphws_finds
    set -g __graphws_found (__graphws (commandline -opc) (commandline -ct))
    test (count $__graphws_found) -gt 0
end

for tool in gbfs gconvert gdevices goctree graphws gsim gtask
    complete -c $tool -n __graphws_finds -f -a '$__graphws_found'
end
