# SPDX-License-Identifier: MIT
# Completion of the graphws tools for bash. It asks the tools themselves: --help lists the options and the words that they
# take, and an option's own help (--policy help) lists what is chosen by name. So it cannot fall behind them.

# The options that a help text lists, one a line, as far as '=': "--threads=", "--verify", "-t" where there is no name.
_graphws_options()
{
    grep -oE -- '^ *((-[a-z], )?--[a-z0-9-]+=?|-[a-z] )' | grep -oE -- '--[a-z0-9-]+=?|-[a-z] $' | tr -d ' '
}

# The values of an option: _graphws_values HELP OPTION COMMAND ... Of "V|random|maxdegree" they are the words in small
# letters; "NAME|help" asks the option.
_graphws_values()
{
    local help=$1 option=$2 argument
    shift 2
    argument=$(sed -nE "s/^ *(-[a-z], )?($option|$option, --[a-z0-9-]+)[= ]([^ ]+).*/\\3/p" <<<"$help" | head -n 1)
    tr '|' '\n' <<<"$argument" | grep -E '^[a-z]' | grep -vx help
    if [[ $argument == *'|help' ]]; then "$@" "$option" help 2>/dev/null | cut -d ' ' -f 1; fi
}

# Bash parts words at '=' too, so --policy=ch is three of them.
_graphws()
{
    local tool=$1 name=${1##*/} current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} option='' help
    local -a command=("$tool")
    if [[ $name == @(graphws|gsim|gtask) && $COMP_CWORD -gt 1 && ${COMP_WORDS[1]} != -* ]]; then command+=("${COMP_WORDS[1]}"); fi
    if [[ $current == '=' ]]; then
        option=$before current=''
    elif [[ $before == '=' ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    elif [[ $before == -?* ]]; then
        option=$before
    fi
    help=$("${command[@]}" --help 2>/dev/null) || return 0
    COMPREPLY=()
    if [[ -n $option && $current != -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_graphws_values "$help" "$option" "${command[@]}" | awk '!seen[$0]++')" -- "$current")
    elif [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_graphws_options <<<"$help")" -- "$current")
        if [[ ${COMPREPLY[0]-} == *= ]]; then compopt -o nospace 2>/dev/null; fi
    elif [[ $name == @(graphws|gsim|gtask) && $COMP_CWORD -eq 1 ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(sed -nE '1,/^$/s/^  ([a-z0-9-]+) .*/\1/p' <<<"$help")" -- "$current")
    fi
    return 0
}

complete -o default -F _graphws gbfs gconvert gdevices goctree graphws gsim gtask
