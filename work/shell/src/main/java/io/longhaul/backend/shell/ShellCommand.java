// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import io.longhaul.backend.shell.command.ArgumentTemplate;
import io.longhaul.backend.shell.command.BadArgumentException;
import io.longhaul.backend.shell.command.CommandTemplate;
import io.longhaul.backend.shell.folder.JobFolder;
import io.longhaul.backend.shell.output.OutputOptions;
import io.longhaul.backend.shell.output.ProgressPattern;
import io.longhaul.backend.shell.output.ResultFiles;
import io.longhaul.backend.shell.start.CommandEnvironment;
import io.longhaul.backend.shell.text.LinePattern;
import io.longhaul.backend.shell.text.TextEncoding;
import io.longhaul.engine.run.Retry;
import io.longhaul.engine.run.Template;
import io.longhaul.engine.secret.Secret;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A command that tasks run: how its command line is made from the arguments of a call, its environment, and what is
 * read from its output. Immutable.
 *
 * <p>The command is started directly, never through a shell, and a value always stays inside one element of the command
 * line, whatever characters it contains. A value that begins with a dash is refused where the program could take its
 * element for an option. Such a value is accepted in an element that begins with text of its own, as in
 * {@code --name={name}} or {@code ./{name}}. It is also accepted after {@code --}, as long as only elements with values
 * follow: a fixed word could be another program, as in {@code env -- ls {name}}. {@code --} does not count for
 * {@code find}, which has expressions after it, nor for an interpreter with a script, which can pass values to any
 * program.
 */
public final class ShellCommand {

    /** The default limit of kept output, in bytes. */
    public static final int DEFAULT_OUTPUT_CAP = 1 << 20;

    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final String RESERVED = "LONGHAUL_";
    private static final int HIGHEST_EXIT_CODE = 255;

    /** EX_TEMPFAIL of sysexits. */
    private static final int SUSPENDED = 75;

    private final CommandTemplate line;
    private final @Nullable ArgumentTemplate input;
    final CommandEnvironment environment;
    final OutputOptions output;
    private final Set<Integer> successCodes;
    final Duration keep;
    final Duration stopGrace;
    final boolean restartedWhenLost;
    final Retry retry;
    private final Set<Integer> retriedCodes;
    final @Nullable Duration suspendAfter;
    final boolean ownFolder;
    final List<String> files;

    private ShellCommand(Builder b) {
        line = new CommandTemplate(b.words, b.lists, b.dashesAllowed);
        input = b.input == null ? null : ArgumentTemplate.parse(b.input, b.lists);
        environment = new CommandEnvironment(b.environment, b.secrets, b.inherited, b.directory);
        var emitted = b.emitted == null ? null : new LinePattern(b.emitted);
        output = new OutputOptions(
                b.outputCap,
                b.errorsLogged,
                new TextEncoding(b.encoding),
                b.raw,
                new OutputOptions.Lines(b.progress, emitted, b.said, b.messageLines));
        successCodes = Set.copyOf(b.successCodes);
        keep = b.keep;
        stopGrace = b.stopGrace;
        restartedWhenLost = b.restartedWhenLost;
        retry = b.retry;
        retriedCodes = b.retriedCodes;
        suspendAfter = b.suspendAfter;
        ownFolder = b.ownFolder;
        files = List.copyOf(b.files);
    }

    /**
     * Begins a command with its program: a path, or a name that is looked up in {@code PATH}.
     *
     * @throws IllegalArgumentException when it has a placeholder, is empty or begins with a dash: callers cannot choose
     *                                  the program
     */
    public static Builder program(String program) {
        return new Builder(program);
    }

    /** Whether output in this encoding can be read: its ASCII characters are written as in ASCII. */
    public static boolean isReadable(Charset encoding) {
        return TextEncoding.hasAscii(encoding);
    }

    /**
     * Why a call with these arguments is refused, in a sentence or two for the caller; empty where the call is
     * accepted. Elements whose arguments are not given yet are not checked.
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

    /** @throws BadArgumentException when an argument is missing or invalid */
    List<String> commandLine(Map<String, List<String>> arguments) {
        return line.fill(arguments, template -> true);
    }

    /**
     * The standard input of the command; null for none.
     *
     * @throws BadArgumentException when an argument is missing
     */
    @Nullable
    String input(Map<String, List<String>> arguments) {
        return input == null ? null : input.fillText(arguments);
    }

    /** The environment of a job: its working directory may be its own. */
    CommandEnvironment environment(JobFolder folder) {
        return ownFolder ? environment.in(folder.work()) : environment;
    }

    /** Whether the command has ended to be run again with an answer. */
    boolean isSuspended(int exitCode) {
        return suspendAfter != null && exitCode == SUSPENDED;
    }

    boolean isSuccess(int exitCode) {
        return successCodes.contains(exitCode);
    }

    /** Whether the command is run again after its {@code attempt}th attempt, which has ended so. */
    boolean isRetried(int attempt, int exitCode) {
        return !isSuccess(exitCode)
                && attempt <= retry.count()
                && (retriedCodes.isEmpty() || retriedCodes.contains(exitCode));
    }

    /** Builds a command. Not thread-safe. */
    public static final class Builder {
        private final List<CommandTemplate.Words> words = new ArrayList<>();
        private final Set<String> lists = new HashSet<>();
        private @Nullable String input;
        private final Map<String, Secret> secrets = new HashMap<>();
        private boolean raw;
        private boolean errorsLogged;
        private @Nullable Charset encoding;
        private Retry retry = Retry.NEVER;
        private Set<Integer> retriedCodes = Set.of();
        private final Map<String, String> environment = new HashMap<>();
        private final Set<String> inherited = new LinkedHashSet<>();
        private @Nullable Path directory;
        private final List<ProgressPattern> progress = new ArrayList<>();
        private @Nullable Pattern emitted;
        private @Nullable String said;
        private int outputCap = DEFAULT_OUTPUT_CAP;
        private int messageLines = 1;
        private Set<Integer> successCodes = Set.of(0);
        private Duration keep = Duration.ofHours(1);
        private Duration stopGrace = Duration.ofSeconds(5);
        private boolean restartedWhenLost;
        private boolean dashesAllowed;
        private @Nullable Duration suspendAfter;
        private boolean ownFolder;
        private List<String> files = List.of();

        private Builder(String program) {
            if (program.isEmpty() || program.startsWith("-") || hasSlot(program)) {
                throw new IllegalArgumentException("the program must be a fixed name or path: '" + program + "'");
            }
            words.add(new CommandTemplate.Words(List.of(program), false));
        }

        /**
         * Adds one element. {@code {name}} in the element stands for the argument of that name, which is then required.
         * {@code {{name}}} is the text {@code {name}}, and other braces stand for themselves.
         */
        public Builder argument(String template) {
            words.add(new CommandTemplate.Words(List.of(template), false));
            return this;
        }

        /**
         * Makes the argument of this name a list. An element that is exactly its placeholder becomes one element for
         * each value, and none for a missing argument; a standard input that is exactly it has one value a line.
         */
        public Builder list(String name) {
            lists.add(name);
            return this;
        }

        /** Adds elements that are present only where all arguments that they use are given. */
        public Builder optional(String... templates) {
            var together = List.of(templates);
            if (together.stream().noneMatch(Builder::hasSlot)) {
                throw new IllegalArgumentException("optional elements need a placeholder: " + together);
            }
            words.add(new CommandTemplate.Words(together, true));
            return this;
        }

        /**
         * Sets an environment variable. A job also gets the search path, home, user, locale, time zone and temporary
         * folder of the server, {@code PYTHONUNBUFFERED} and its like, {@code LONGHAUL_TASK} with the id of its task,
         * and {@code LONGHAUL_OWNER} with the owner of the task.
         *
         * @throws IllegalArgumentException when the name is invalid, or begins with {@code LONGHAUL_}
         */
        public Builder environment(String name, String value) {
            environment.put(checkedName(name), value);
            return this;
        }

        /**
         * Sets an environment variable to a secret, which is read at each start of a job. The secret is not stored with
         * the task. The secret, and each of its lines, is masked in output, progress, messages and log lines, also with
         * the escapes of JSON, but not where the command has encoded it in another way.
         *
         * @throws IllegalArgumentException as for any variable
         */
        public Builder environment(String name, Secret secret) {
            secrets.put(checkedName(name), secret);
            return this;
        }

        /**
         * Sets the standard input of the command, with placeholders like an argument; empty by default. The text is a
         * file in the job's folder until the command begins.
         */
        public Builder stdin(String template) {
            input = template;
            return this;
        }

        /**
         * Sets whether terminal codes, and all states of overwritten lines, stay in the output that is read. By default
         * the codes are removed, and only the last state of such a line stays.
         */
        public Builder raw(boolean isRaw) {
            raw = isRaw;
            return this;
        }

        /**
         * Sets whether standard error goes to the log of the task, and standard output alone is the output. By default
         * both are one output, in the order of writing. Progress is found in both.
         */
        public Builder errorsLogged(boolean areLogged) {
            errorsLogged = areLogged;
            return this;
        }

        /**
         * Sets the encoding of the output, which is read as UTF-8 else, or, where the output is plainly text in another
         * encoding, in the likely one.
         *
         * @throws IllegalArgumentException when it is not {@linkplain ShellCommand#isReadable readable}, as UTF-16
         */
        public Builder encoding(Charset charset) {
            encoding = checked(charset, isReadable(charset), "not an encoding with ASCII characters");
            return this;
        }

        /**
         * Sets when a failed command is run again; never by default. All attempts count against the timeout of the
         * tool, a cancel ends the pause between two attempts, and a restart of the server repeats no attempt.
         */
        public Builder retry(Retry policy) {
            return retry(policy, Set.of());
        }

        /**
         * As {@link #retry(Retry)}.
         *
         * @param exitCodes after which the command is run again; empty for every exit code that means failure
         */
        public Builder retry(Retry policy, Set<Integer> exitCodes) {
            retry = policy;
            retriedCodes = checkedCodes(exitCodes);
            return this;
        }

        /** Passes this variable of the server's environment to the job, where the server has it. */
        public Builder inherit(String name) {
            inherited.add(checkedName(name));
            return this;
        }

        /** Sets the working directory of the command; by default the server's. */
        public Builder directory(Path path) {
            directory = path;
            return this;
        }

        /**
         * Sets how long the command may wait for an answer before it may end with exit code 75, to be run again with
         * the answer; null where the command waits itself. The command learns the time by
         * {@code LONGHAUL_SUSPEND_AFTER}, in seconds.
         */
        public Builder suspendAfter(@Nullable Duration duration) {
            suspendAfter = duration;
            return this;
        }

        /** Gives each job an empty working directory of its own, which is removed with the files of the job. */
        public Builder ownFolder(boolean isOwn) {
            ownFolder = isOwn;
            return this;
        }

        /**
         * Sets the files below the working directory that become parts of the result, by globs; see
         * {@link ResultFiles}.
         *
         * @throws IllegalArgumentException where one of them is no glob, or leads out of that directory
         */
        public Builder files(List<String> globs) {
            files = checked(globs, globs.stream().allMatch(ResultFiles::isLegal), "a file lies outside of the folder");
            return this;
        }

        /**
         * Adds a pattern that finds progress in lines of output; the first matching pattern counts. Without patterns, a
         * percentage in an overwritten line, such as a progress bar, counts.
         */
        public Builder progress(ProgressPattern pattern) {
            progress.add(pattern);
            return this;
        }

        /** Makes partial output of the lines that contain a match of {@code pattern}; by default of no lines. */
        public Builder partial(Pattern pattern) {
            emitted = pattern;
            return this;
        }

        /**
         * Has the command speak to its task by the lines of its output that begin so, and are then no output; null, as
         * by default, where it speaks by a file.
         */
        public Builder saidBehind(@Nullable String prefix) {
            said = checked(prefix, prefix == null || !prefix.isBlank(), "lines that are said need a beginning");
            return this;
        }

        /**
         * Sets how many bytes of output are kept for the result; of a longer output, the first half and the last half
         * of that number. On disk a job may take one and a half times that number, or 768 KiB where that is more,
         * and 16 MiB while no server reads its output.
         */
        public Builder outputCap(int bytes) {
            outputCap = checked(bytes, bytes > 0, "the output cap must be positive");
            return this;
        }

        /**
         * Sets how many of the last lines are the status message, or fewer where not all of them fit into 2,000
         * characters; 0 for no message, 1 by default.
         */
        public Builder messageLines(int lines) {
            messageLines = checked(lines, lines >= 0, "the number of lines must not be negative");
            return this;
        }

        /** Sets the exit codes that mean success; only 0 by default. */
        public Builder successCodes(Set<Integer> codes) {
            successCodes = checkedCodes(codes);
            return this;
        }

        /** Sets how long the job's folder stays after the end of the job; 1 h by default, never less than 1 min. */
        public Builder keep(Duration duration) {
            keep = checked(duration, !duration.isNegative(), "the time to keep must not be negative");
            return this;
        }

        /**
         * Sets the time between TERM and KILL for a stopped job, and the time for which a child may keep the output of
         * an ended job open; 5 s by default.
         */
        public Builder stopGrace(Duration duration) {
            stopGrace = checked(duration, !duration.isNegative(), "the grace must not be negative");
            return this;
        }

        /**
         * Sets whether a lost job is run again from the start; by default its task fails as interrupted. A lost job has
         * died without an exit code, as when the machine went down, or was started on another machine whose server is
         * gone. Only for commands that may run twice at once: on the other machine the first may still run.
         */
        public Builder restartedWhenLost(boolean restarted) {
            restartedWhenLost = restarted;
            return this;
        }

        /**
         * Accepts values that begin with a dash everywhere. Only for programs and scripts that never take a value for
         * an option.
         */
        public Builder dashesAllowed(boolean allowed) {
            dashesAllowed = allowed;
            return this;
        }

        /**
         * @throws IllegalArgumentException when the command is an interpreter and its script contains a placeholder, or
         *                                  a list stands inside an element
         */
        public ShellCommand build() {
            return new ShellCommand(this);
        }

        private static boolean hasSlot(String template) {
            return !Template.parse(template).slots().isEmpty();
        }

        private static String checkedName(String name) {
            var legal = VARIABLE.matcher(name).matches() && !name.startsWith(RESERVED);
            return checked(name, legal, "not a name for an environment variable of a job");
        }

        private static Set<Integer> checkedCodes(Set<Integer> codes) {
            var legal = codes.stream().allMatch(code -> code >= 0 && code <= HIGHEST_EXIT_CODE);
            return checked(Set.copyOf(codes), legal, "exit codes go from 0 to 255");
        }

        private static <T> T checked(T value, boolean legal, String message) {
            if (!legal) {
                throw new IllegalArgumentException(message + ": " + value);
            }
            return value;
        }
    }
}
