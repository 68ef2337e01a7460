// What a shell has to run so that Tab asks this command: the answers come from `millrace __complete`, which knows the
// tree of commands, so the scripts know nothing and never grow old.

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** A line in place of candidates: the shell completes names of files. */
export const filesMark = ':files'

const bash = `# bash completion of millrace; put into ~/.bashrc: source <(millrace completion bash)
_millrace() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == '${filesMark}' ]]; then compopt -o default 2>/dev/null; return; fi
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <("\${COMP_WORDS[0]}" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  [[ \${#COMPREPLY[@]} == 1 && \${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -F _millrace millrace
`

const zsh = `#compdef millrace
# zsh completion of millrace; put into ~/.zshrc: source <(millrace completion zsh)
_millrace() {
  local -a lines values
  local line
  lines=("\${(@f)$("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ $lines[1] == '${filesMark}' ]]; then _files; return; fi
  for line in $lines; do
    values+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  _describe millrace values
}
compdef _millrace millrace
`

const fish = `# fish completion of millrace: millrace completion fish > ~/.config/fish/completions/millrace.fish
function __millrace_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l lines ($words[1] __complete -- $words[2..-1] "$current" 2>/dev/null)
  if test "$lines[1]" = '${filesMark}'
    __fish_complete_path "$current"
    return
  end
  printf '%s\\n' $lines
end
complete -c millrace -f -a '(__millrace_complete)'
`

export const completionScripts: Readonly<Record<Shell, string>> = { bash, zsh, fish }
