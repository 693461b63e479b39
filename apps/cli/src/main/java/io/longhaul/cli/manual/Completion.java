// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.manual;

import io.longhaul.cli.args.Option;
import io.longhaul.cli.command.CliCommand.Help;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Scripts that complete command lines: commands, verbs, options, the values that options name, and else files. After a
 * command that takes a file, they offer options to a word that begins with a dash.
 */
enum Completion {
    BASH,
    /** Zsh runs the bash script. */
    ZSH,
    FISH;

    private static final String FISH_BEGIN = "complete -c longhaul -n __fish_use_subcommand -f -a help -d 'show help'";

    List<String> script(CommandLines lines) {
        return switch (this) {
            case BASH -> bash(lines, "# Put this into ~/.bashrc:  source <(longhaul completion bash)");
            case ZSH -> {
                var script =
                        new ArrayList<>(List.of("#compdef longhaul", "autoload -U +X bashcompinit && bashcompinit"));
                script.addAll(bash(lines, "# Put this into ~/.zshrc:  source <(longhaul completion zsh)"));
                yield script;
            }
            case FISH -> fish(lines);
        };
    }

    private static List<String> fish(CommandLines lines) {
        var script = new ArrayList<>(
                List.of("# longhaul completion fish > ~/.config/fish/completions/longhaul.fish", FISH_BEGIN));
        lines.commands().forEach((name, help) -> {
            script.add("complete -c longhaul -n __fish_use_subcommand -f -a " + name + " -d " + quoted(help.summary()));
            CommandLines.verbs(help).forEach(verb -> script.add(of(name, List.of()) + " -f -a " + verb));
            help.options().forEach(option -> script.add(of(name, option.verbs()) + fish(option)));
        });
        return script;
    }

    private static List<String> bash(CommandLines lines, String how) {
        var script = new ArrayList<>(List.of(
                how,
                "_longhaul() {",
                "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=",
                "  if [ \"$COMP_CWORD\" -eq 1 ]; then",
                "    words='" + String.join(" ", lines.commands().keySet()) + " help'",
                "  else",
                "    case \"${COMP_WORDS[1]} $before ${COMP_WORDS[2]}\" in"));
        lines.commands().forEach((name, help) -> {
            values(help)
                    .forEach(option -> script.add("      '" + name + " " + option.name() + " '*) words='"
                            + String.join(" ", CommandLines.values(option)) + "' ;;"));
            var others = help.options().stream()
                    .filter(option -> option.value() != null && option.form() == null)
                    .filter(option -> CommandLines.values(option).isEmpty())
                    .map(option -> "'" + name + " " + option.name() + " '*")
                    .toList();
            if (!others.isEmpty()) {
                script.add("      " + String.join("|", others) + ") ;;");
            }
        });
        lines.commands().forEach((name, help) -> {
            var ways = new LinkedHashMap<String, Predicate<Option>>();
            CommandLines.verbs(help)
                    .forEach(verb -> ways.put("'" + name + " '*' " + verb + "'", option -> option.isOf(verb)));
            ways.put("'" + name + " '*", option -> true);
            ways.forEach((line, taken) -> {
                var words = "words='" + options(help, taken) + "'";
                script.add("      " + line + ") "
                        + (CommandLines.takesFiles(help)
                                ? "case $word in -*) " + words + " ;; esac ;;"
                                : words + " ;;"));
            });
        });
        script.add("    esac");
        script.add("    case \"$COMP_CWORD ${COMP_WORDS[1]}\" in");
        lines.commands().forEach((name, help) -> {
            var verbs = CommandLines.verbs(help);
            if (!verbs.isEmpty()) {
                script.add("      '2 " + name + "') words=\"" + String.join(" ", verbs) + " $words\" ;;");
            }
        });
        script.addAll(List.of(
                "    esac",
                "  fi",
                "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))",
                "}",
                "complete -o default -F _longhaul longhaul"));
        return script;
    }

    private static Stream<Option> values(Help help) {
        return help.options().stream()
                .filter(option -> !CommandLines.values(option).isEmpty());
    }

    private static String options(Help help, Predicate<Option> taken) {
        var options = help.options().stream().filter(taken).map(Option::name);
        return Stream.concat(options, Stream.of("--help")).collect(Collectors.joining(" "));
    }

    /** The beginning of a line for a command of which one of these verbs was written; for any where there are none. */
    private static String of(String command, List<String> verbs) {
        var verb = verbs.isEmpty() ? "" : "; and __fish_seen_subcommand_from " + String.join(" ", verbs);
        return "complete -c longhaul -n '__fish_seen_subcommand_from " + command + verb + "'";
    }

    private static String fish(Option option) {
        var name = option.name().startsWith("--")
                ? " -l " + option.name().substring(2)
                : " -s " + option.name().substring(1);
        var values = CommandLines.values(option);
        var value = option.value() == null || option.form() != null
                ? ""
                : values.isEmpty() ? " -r" : " -x -a " + quoted(String.join(" ", values));
        return name + value + " -d " + quoted(option.help());
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
