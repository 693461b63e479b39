// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.work;

import io.longhaul.file.secret.SecretSource;
import io.longhaul.file.tree.Binder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The command of a tool. Each value of a call becomes part of exactly one argument, and never passes a shell.
 *
 * @param program     fixed: no caller chooses it
 * @param arguments   the arguments after the program
 * @param environment the variables of the command
 * @param place       where the command runs
 * @param dashes      whether values that begin with a dash are allowed where an option can stand
 * @param stdin       the standard input, which a template gives; null for none
 */
public record CommandEntry(
        String program,
        List<Arguments> arguments,
        Environment environment,
        WorkPlace place,
        boolean dashes,
        @Nullable String stdin)
        implements WorkEntry {
    public CommandEntry {
        arguments = List.copyOf(arguments);
    }

    /**
     * Where a command runs.
     *
     * @param folder the folder in which it runs, and that of its program, absolute
     * @param isOwn  whether each call has a folder of its own instead
     * @param files  which files below that folder are parts of the result
     */
    public record WorkPlace(Path folder, boolean isOwn, List<String> files) {
        public WorkPlace {
            files = List.copyOf(files);
        }
    }

    /** Whether a word of the command is a file of its folder: a script, which can read the arguments by itself. */
    public boolean isScript() {
        return Stream.concat(Stream.of(program), arguments.stream().flatMap(group -> group.templates().stream()))
                .anyMatch(word -> Programs.isFile(word, place.folder()));
    }

    /** Whether this machine lacks the program. */
    public boolean isMissing() {
        return !Programs.isThere(program, place.folder());
    }

    /**
     * The variables of a command.
     *
     * @param fixed     the variables with a value in the file
     * @param secrets   where the secrets of other variables are
     * @param inherited names of the server's own variables that the command gets, too
     */
    public record Environment(
            @Binder.Named("env") Map<String, String> fixed,
            @Binder.Named("env") Map<String, SecretSource> secrets,
            @Binder.Named("inherit") List<String> inherited) {}

    /**
     * One argument, or several that belong together.
     *
     * @param templates of the arguments
     * @param optional  whether all of them are left out where one of their values is missing
     */
    public record Arguments(List<String> templates, boolean optional) {
        public Arguments {
            templates = List.copyOf(templates);
        }
    }
}
