// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.start;

import io.longhaul.backend.shell.folder.JobFolder;
import io.longhaul.backend.shell.output.OutputFiles;
import io.longhaul.backend.shell.output.OutputOptions;
import io.longhaul.backend.shell.process.ProcessTable;
import io.longhaul.engine.task.Owner;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Starts jobs: runs job.sh in a session of its own, so that the job survives the end of the server and of its terminal.
 *
 * @param newSession the command that starts the following program in a session of its own
 * @param platform   the charset in which the JDK writes command lines, which is not UTF-8 where the server has no
 *                   locale
 */
public record JobStarter(List<String> newSession, Charset platform) {

    private static final String OWNER = "LONGHAUL_OWNER";
    private static final List<String> INHERITED = List.of(
            "PATH",
            "HOME",
            "USER",
            "LOGNAME",
            "SHELL",
            "TMPDIR",
            "TZ",
            "LANG",
            "LANGUAGE",
            "LC_ALL",
            "LC_CTYPE",
            "LC_COLLATE",
            "LC_MESSAGES",
            "LC_NUMERIC",
            "LC_TIME");

    /** Has run-times write each piece of output at once, that else keep it back where no terminal reads it. */
    private static final Map<String, String> UNBUFFERED =
            Map.of("PYTHONUNBUFFERED", "1", "GFORTRAN_UNBUFFERED_PRECONNECTED", "y");

    private static final String DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";
    private static final File NOTHING = new File("/dev/null");

    /** For systems without setsid(1), such as macOS. */
    private static final String SETSID_IN_PERL = "use POSIX; POSIX::setsid() > 0 or die $!; exec { $ARGV[0] } @ARGV";

    /** How many seconds a job waits for a reader who does not read on, before it drops what was not read. */
    private static final String LOOKS_FOR_READER = "10";

    /** The processes and the memory that a start lacks are told by number, in each language. */
    private static final List<String> SHORTAGES = List.of("error=11,", "error=12,", "Too many open files");

    /** More open files than a start needs. */
    private static final int FILES_OF_A_START = 16;

    /** @throws IOException when this machine has no program that can start another program in a session of its own */
    public static JobStarter onThisMachine() throws IOException {
        var platform = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
        return new JobStarter(
                throughSetsid().or(JobStarter::throughPerl).orElseThrow(JobStarter::impossible), platform);
    }

    public static Optional<List<String>> throughSetsid() {
        return onSearchPath("setsid").map(setsid -> List.of(setsid.toString()));
    }

    public static Optional<List<String>> throughPerl() {
        return onSearchPath("perl").map(perl -> List.of(perl.toString(), "-e", SETSID_IN_PERL));
    }

    private static IOException impossible() {
        return new IOException("jobs need the program setsid (of util-linux) or perl in PATH");
    }

    private static Optional<Path> onSearchPath(String program) {
        return onPath(System.getenv().getOrDefault("PATH", DEFAULT_PATH), program)
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static Stream<Path> onPath(String path, String program) {
        return Stream.of(path.split(File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program));
    }

    private static Path jobs(JobFolder folder) {
        return Objects.requireNonNull(folder.root().toAbsolutePath().getParent());
    }

    /** Why the program cannot be started, in words for a model; empty where no problem is visible in advance. */
    public Optional<String> problem(CommandEnvironment environment, String program) {
        var folder = environment.directory() == null ? Path.of("") : environment.directory();
        if (!Files.isDirectory(folder)) {
            return Optional.of("the folder that it runs in is not there.");
        }
        var found = program.contains("/") ? Stream.of(folder.resolve(program)) : onPath(path(environment), program);
        var files = found.filter(Files::isRegularFile).toList();
        if (files.isEmpty()) {
            return Optional.of(
                    program.contains("/") ? "it is not there." : "it is not in the search path of the server.");
        }
        return files.stream().anyMatch(Files::isExecutable)
                ? Optional.empty()
                : Optional.of("the server may not execute it.");
    }

    private static String path(CommandEnvironment environment) {
        var own = environment.variables().get("PATH");
        return own == null ? System.getenv().getOrDefault("PATH", DEFAULT_PATH) : own;
    }

    /**
     * Starts the shell of a job; the shell ends at once where another server has claimed the job.
     *
     * @param secrets the values of the environment's secrets
     * @throws IOException when the machine can start no more processes, or the command line is too long for the machine
     */
    public Process start(
            JobFolder folder,
            Owner owner,
            List<String> commandLine,
            CommandEnvironment environment,
            Map<String, String> secrets,
            OutputOptions output)
            throws IOException {
        var line = new ArrayList<>(newSession);
        line.add("/bin/sh");
        line.add(JobScript.in(jobs(folder)).toString());
        line.add(folder.path().toAbsolutePath().toString());
        line.add(Long.toString(OutputFiles.room(output.cap())));
        line.add(output.errorsLogged() ? "log" : "output");
        line.add(Integer.toString(output.isAwaited() ? OutputFiles.UNREAD_EMITTED : OutputFiles.UNREAD));
        line.add(output.isAwaited() ? LOOKS_FOR_READER : "0");
        addCommand(line, commandLine);
        var builder = new ProcessBuilder(line)
                .redirectInput(NOTHING)
                .redirectOutput(NOTHING)
                .redirectError(ProcessBuilder.Redirect.appendTo(folder.errors().toFile()));
        var directory = environment.directory();
        if (directory != null) {
            builder.directory(directory.toFile());
        }
        setEnvironment(builder.environment(), folder, environment);
        builder.environment().putAll(secrets);
        builder.environment().put(OWNER, owner.value().replace('\0', '?'));
        return builder.start();
    }

    /** Whether a start failed for want of open files, processes or memory, so that a later start may succeed. */
    public boolean isShortage(IOException failure) {
        var why = String.valueOf(failure.getMessage());
        return SHORTAGES.stream().anyMatch(why::contains) || !hasFreeFiles();
    }

    private static boolean hasFreeFiles() {
        var open = new ArrayList<InputStream>();
        try {
            for (int file = 0; file < FILES_OF_A_START; file++) {
                open.add(new FileInputStream(NOTHING));
            }
            return true;
        } catch (IOException e) {
            return false;
        } finally {
            open.forEach(JobStarter::close);
        }
    }

    private static void close(InputStream file) {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void addCommand(List<String> line, List<String> commandLine) {
        if (commandLine.stream().allMatch(platform.newEncoder()::canEncode)) {
            line.add("plain");
            line.addAll(commandLine);
        } else {
            line.add("octal");
            commandLine.forEach(element -> line.add(octal(element)));
        }
    }

    /** The UTF-8 bytes in the form of %b of printf(1); bytes that are not ASCII text are written as {@code \0ooo}. */
    private static String octal(String element) {
        var escapes = new StringBuilder();
        for (byte b : element.getBytes(StandardCharsets.UTF_8)) {
            if (b >= ' ' && b != '\\') {
                escapes.append((char) b);
            } else {
                escapes.append(String.format(Locale.ROOT, "\\0%03o", b & 0xFF));
            }
        }
        return escapes.toString();
    }

    private static void setEnvironment(Map<String, String> job, JobFolder folder, CommandEnvironment environment) {
        // Inherited variables are kept rather than copied, because a copy would corrupt bytes that are not text.
        job.keySet()
                .removeIf(name ->
                        !INHERITED.contains(name) && !environment.inherited().contains(name));
        job.putIfAbsent("PATH", DEFAULT_PATH);
        UNBUFFERED.forEach(job::putIfAbsent);
        job.putAll(environment.variables());
        job.put(ProcessTable.MARK, folder.task().value());
    }
}
