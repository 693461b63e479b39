// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

import io.longhaul.backend.shell.SecretFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The command of a tool. Every value of a call becomes a part of one single argument, and never passes a shell.
 *
 * @param program     fixed: no caller chooses it
 * @param arguments   behind the program
 * @param environment its variables
 * @param folder      that it is run in, absolute
 * @param dashes      whether it takes values that begin with a dash where an option can stand
 * @param stdin       what it reads, in the words of the shell backend; null for nothing
 */
public record CommandEntry(
        String program,
        List<Arguments> arguments,
        Environment environment,
        Path folder,
        boolean dashes,
        @Nullable String stdin)
        implements WorkEntry {
    public CommandEntry {
        arguments = List.copyOf(arguments);
    }

    /**
     * The variables of a command.
     *
     * @param fixed     those with a value in the file
     * @param secrets   those whose values are in files
     * @param inherited names of the server's own variables that the command gets too
     */
    public record Environment(Map<String, String> fixed, Map<String, SecretFile> secrets, List<String> inherited) {
        public Environment {
            fixed = Map.copyOf(fixed);
            secrets = Map.copyOf(secrets);
            inherited = List.copyOf(inherited);
        }
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
