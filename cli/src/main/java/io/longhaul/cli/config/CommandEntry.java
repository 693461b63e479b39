package io.longhaul.cli.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The command of a tool. Every value of a call becomes a part of one single argument, and never passes a shell.
 *
 * @param program     fixed: no caller chooses it
 * @param arguments   behind the program
 * @param environment variables that are set for it
 * @param inherited   names of the server's own variables that it gets too
 * @param folder      that it is run in, absolute
 * @param dashes      whether it takes values that begin with a dash where an option can stand
 */
public record CommandEntry(
        String program,
        List<Arguments> arguments,
        Map<String, String> environment,
        List<String> inherited,
        Path folder,
        boolean dashes) {
    public CommandEntry {
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
        inherited = List.copyOf(inherited);
    }

    /**
     * One argument, or several that belong together.
     *
     * @param templates in the words of the shell backend
     * @param optional  whether they are left out together where a value of theirs is missing
     */
    public record Arguments(List<String> templates, boolean optional) {
        public Arguments {
            templates = List.copyOf(templates);
        }
    }
}
