// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A command that tasks run: how its command line is made of the arguments of a call, its surroundings, and what is read
 * from its output. Immutable.
 *
 * <p>The command is started directly, never through a shell, and a value always stays inside one element of the command
 * line, whatever characters it holds. A value that begins with a dash is refused where the program could take its
 * element for an option. It is taken in an element that begins with text of its own, as in {@code --name={name}} or
 * {@code ./{name}}, and behind {@code --} as long as only elements with values follow that: a fixed word could be
 * another program, as in {@code env -- ls {name}}. {@code --} does not count for {@code find}, which has expressions
 * behind it, nor where an interpreter is given a script, which can hand values to any program.
 */
public final class ShellCommand {

    /** Output that is kept where nothing else is said, in bytes. */
    public static final int DEFAULT_OUTPUT_CAP = 1 << 20;

    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final String RESERVED = "LONGHAUL_";
    private static final int HIGHEST_EXIT_CODE = 255;

    private final CommandTemplate line;
    final String program;
    final @Nullable ArgumentTemplate input;
    final Map<String, String> environment;
    private final Map<String, SecretFile> secrets;
    final Set<String> inherited;
    final @Nullable Path directory;
    final List<ProgressPattern> progress;
    private final @Nullable LinePattern emitted;
    final int outputCap;
    final int messageLines;
    private final Set<Integer> successCodes;
    final Duration keep;
    final Duration stopGrace;
    final boolean restartedWhenLost;
    final boolean raw;
    final Retry retry;

    private ShellCommand(Builder b) {
        program = b.program;
        input = b.input;
        secrets = Map.copyOf(b.secrets);
        raw = b.raw;
        retry = b.retry;
        line = new CommandTemplate(b.elements, b.dashesAllowed);
        environment = Map.copyOf(b.environment);
        inherited = Set.copyOf(b.inherited);
        directory = b.directory;
        progress = List.copyOf(b.progress);
        emitted = b.emitted == null ? null : new LinePattern(b.emitted);
        outputCap = b.outputCap;
        messageLines = b.messageLines;
        successCodes = Set.copyOf(b.successCodes);
        keep = b.keep;
        stopGrace = b.stopGrace;
        restartedWhenLost = b.restartedWhenLost;
    }

    /**
     * Begins a command with its program: a path, or a name that is looked up in {@code PATH}.
     *
     * @throws IllegalArgumentException when it has a placeholder, is empty or begins with a dash: no caller chooses
     *         the program
     */
    public static Builder program(String program) {
        return new Builder(program);
    }

    /** Names of the arguments that the command line uses, for a check against the schema of the tool. */
    public Set<String> parameters() {
        var names = new TreeSet<>(line.names());
        if (input != null) {
            names.addAll(input.names());
        }
        return names;
    }

    /**
     * Why a call with these arguments is refused, as a sentence or two for the caller; empty where it is not.
     * Elements whose arguments are not given yet are not looked at.
     */
    public Optional<String> refusal(Map<String, List<String>> arguments) {
        try {
            line.fill(arguments, template -> template.isGiven(arguments));
            if (input != null && input.isGiven(arguments)) {
                input.fillText(arguments);
            }
            return Optional.empty();
        } catch (BadArgumentException e) {
            return Optional.of(e.getMessage());
        }
    }

    /** @throws BadArgumentException when an argument is missing, or cannot be one */
    List<String> commandLine(Map<String, List<String>> arguments) {
        return line.fill(arguments, template -> true);
    }

    /**
     * What the command reads; null for nothing.
     *
     * @throws BadArgumentException when an argument is missing
     */
    @Nullable
    String input(Map<String, List<String>> arguments) {
        return input == null ? null : input.fillText(arguments);
    }

    /** @throws IOException with a sentence for the operator when one of them cannot be read */
    Map<String, String> readSecrets() throws IOException {
        var values = new HashMap<String, String>();
        for (var secret : secrets.entrySet()) {
            values.put(secret.getKey(), secret.getValue().read());
        }
        return values;
    }

    boolean emits() {
        return emitted != null;
    }

    boolean emits(String line) {
        return emitted != null && emitted.find(line).isPresent();
    }

    boolean isSuccess(int exitCode) {
        return successCodes.contains(exitCode);
    }

    /** Says how a command is run. Not thread-safe. */
    public static final class Builder {
        private final List<CommandTemplate.Element> elements = new ArrayList<>();
        private final String program;
        private @Nullable ArgumentTemplate input;
        private final Map<String, SecretFile> secrets = new HashMap<>();
        private boolean raw;
        private Retry retry = Retry.NEVER;
        private final Map<String, String> environment = new HashMap<>();
        private final Set<String> inherited = new LinkedHashSet<>();
        private @Nullable Path directory;
        private final List<ProgressPattern> progress = new ArrayList<>();
        private @Nullable Pattern emitted;
        private int outputCap = DEFAULT_OUTPUT_CAP;
        private int messageLines = 1;
        private Set<Integer> successCodes = Set.of(0);
        private Duration keep = Duration.ofHours(1);
        private Duration stopGrace = Duration.ofSeconds(5);
        private boolean restartedWhenLost;
        private boolean dashesAllowed;

        private Builder(String program) {
            var template = ArgumentTemplate.parse(program);
            if (program.isEmpty() || program.startsWith("-") || !template.isFixed()) {
                throw new IllegalArgumentException("the program must be a fixed name or path: '" + program + "'");
            }
            this.program = template.fixedText();
            elements.add(new CommandTemplate.Element(List.of(template), false));
        }

        /**
         * Adds one element. {@code {name}} in it stands for the argument of that name, which must then be given; an
         * element that is exactly {@code {name...}} becomes one element for each value, none where it was not given.
         * Write {@code {{} and {@code }}} for braces.
         *
         * @throws IllegalArgumentException when a brace is neither doubled nor part of a placeholder
         */
        public Builder argument(String template) {
            elements.add(new CommandTemplate.Element(List.of(ArgumentTemplate.parse(template)), false));
            return this;
        }

        /** Adds elements that are left out together unless all arguments that they use are given. */
        public Builder optional(String... templates) {
            var parsed =
                    List.of(templates).stream().map(ArgumentTemplate::parse).toList();
            if (parsed.stream().allMatch(ArgumentTemplate::isFixed)) {
                throw new IllegalArgumentException("optional elements need a placeholder: " + List.of(templates));
            }
            elements.add(new CommandTemplate.Element(parsed, true));
            return this;
        }

        /**
         * Sets an environment variable. Beside those set here a job gets the search path, home, user, locale, time zone
         * and temporary folder of the server, {@code LONGHAUL_TASK} with the id of its task and
         * {@code LONGHAUL_OWNER} with the owner of the task.
         *
         * @throws IllegalArgumentException when the name is not one, or begins with {@code LONGHAUL_}
         */
        public Builder environment(String name, String value) {
            environment.put(checkedName(name), value);
            return this;
        }

        /**
         * Sets an environment variable to a secret, which is read whenever a job begins. The secret is in no record of
         * the task. In what the command writes it is masked: in output, progress, messages and log lines, as it is and
         * line by line, but not where the command has encoded it.
         *
         * @throws IllegalArgumentException as for any variable
         */
        public Builder environment(String name, SecretFile secret) {
            secrets.put(checkedName(name), secret);
            return this;
        }

        /**
         * What the command reads from its standard input, with placeholders as an argument has; nothing by default. A
         * text that is exactly {@code {name...}} has one value a line. The text lies in the job's folder until the
         * command has begun.
         *
         * @throws IllegalArgumentException when a brace is neither doubled nor part of a placeholder
         */
        public Builder stdin(String template) {
            input = ArgumentTemplate.parse(template);
            return this;
        }

        /**
         * Whether codes for a terminal, and all states of lines that are written over, stay in what is read from the
         * output; by default the codes are left out, and of such a line all but its last state.
         */
        public Builder raw(boolean isRaw) {
            raw = isRaw;
            return this;
        }

        /**
         * When a command that has failed is run again; never by default. All attempts count against the timeout of the
         * tool, a cancel ends the pause between two of them, and a restart of the server repeats none.
         */
        public Builder retry(Retry policy) {
            retry = policy;
            return this;
        }

        /** Lets the job have this variable of the server's environment, where the server has it. */
        public Builder inherit(String name) {
            inherited.add(checkedName(name));
            return this;
        }

        /** Where the command is started; the server's own directory unless set. */
        public Builder directory(Path path) {
            directory = path;
            return this;
        }

        /**
         * Adds a pattern that finds progress in lines of output; the first that matches a line counts. Without any, a
         * percentage in a line that is written over, as progress bars are, counts.
         */
        public Builder progress(ProgressPattern pattern) {
            progress.add(pattern);
            return this;
        }

        /** Makes partial output of the lines in which {@code pattern} is found; by default of none. */
        public Builder partial(Pattern pattern) {
            emitted = pattern;
            return this;
        }

        /**
         * How many bytes of output are kept for the result: the first half and the last half of them where there are
         * more. On disk a job may take this three half times, or 768 KiB where that is more.
         */
        public Builder outputCap(int bytes) {
            outputCap = checked(bytes, bytes > 0, "the output cap must be positive");
            return this;
        }

        /** How many of the last lines are the status message; 0 for no message, 1 by default. */
        public Builder messageLines(int lines) {
            messageLines = checked(lines, lines >= 0, "the number of lines must not be negative");
            return this;
        }

        /** Exit codes that mean success; 0 alone by default. */
        public Builder successCodes(Set<Integer> codes) {
            var legal = codes.stream().allMatch(code -> code >= 0 && code <= HIGHEST_EXIT_CODE);
            successCodes = checked(codes, legal, "exit codes go from 0 to 255");
            return this;
        }

        /** How long the job's folder stays after the end of the job; 1 h by default, never under 1 min. */
        public Builder keep(Duration duration) {
            keep = checked(duration, !duration.isNegative(), "the time to keep must not be negative");
            return this;
        }

        /**
         * How long a job that is stopped may take between TERM and KILL, and how long a child may keep the output of a
         * job open that has ended by itself; 5 s by default.
         */
        public Builder stopGrace(Duration duration) {
            stopGrace = checked(duration, !duration.isNegative(), "the grace must not be negative");
            return this;
        }

        /**
         * Whether a job that has died without an exit code (the machine went down, say), or that another machine has
         * started whose server is gone, is run again from the start instead of failing its task as interrupted. Only
         * for commands that may run twice, and at once: on the other machine the first one may still run.
         */
        public Builder restartedWhenLost(boolean restarted) {
            restartedWhenLost = restarted;
            return this;
        }

        /**
         * Takes values that begin with a dash everywhere. Only for programs and scripts that take no value for an
         * option.
         */
        public Builder dashesAllowed(boolean allowed) {
            dashesAllowed = allowed;
            return this;
        }

        /** @throws IllegalArgumentException when an interpreter is given a script that has a placeholder in it */
        public ShellCommand build() {
            return new ShellCommand(this);
        }

        private static String checkedName(String name) {
            var legal = VARIABLE.matcher(name).matches() && !name.startsWith(RESERVED);
            return checked(name, legal, "not a name for an environment variable of a job");
        }

        private static <T> T checked(T value, boolean legal, String message) {
            if (!legal) {
                throw new IllegalArgumentException(message + ": " + value);
            }
            return value;
        }
    }
}
