package io.longhaul.backend.shell;

import io.longhaul.engine.task.Owner;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Starts jobs: job.sh in a session of its own, so that neither the end of the server nor of its terminal reaches it.
 */
final class JobStarter {

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
    private static final String DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";
    private static final File NOTHING = new File("/dev/null");

    /** For systems without setsid(1), such as macOS. */
    private static final String SETSID_IN_PERL = "use POSIX; POSIX::setsid() > 0 or die $!; exec { $ARGV[0] } @ARGV";

    static final String SCRIPT = script();

    private final List<String> newSession;
    private final Charset platform;

    /**
     * @param newSession starts the program behind it in a session of its own
     * @param platform   how the JDK writes command lines, which is not UTF-8 where the server has no locale
     */
    JobStarter(List<String> newSession, Charset platform) {
        this.newSession = newSession;
        this.platform = platform;
    }

    /** @throws IOException when this machine has no program that starts another one in a session of its own */
    static JobStarter onThisMachine() throws IOException {
        var platform = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
        return new JobStarter(
                throughSetsid().or(JobStarter::throughPerl).orElseThrow(JobStarter::impossible), platform);
    }

    static Optional<List<String>> throughSetsid() {
        return onSearchPath("setsid").map(setsid -> List.of(setsid.toString()));
    }

    static Optional<List<String>> throughPerl() {
        return onSearchPath("perl").map(perl -> List.of(perl.toString(), "-e", SETSID_IN_PERL));
    }

    private static IOException impossible() {
        return new IOException("jobs need the program setsid (of util-linux) or perl in PATH");
    }

    private static Optional<Path> onSearchPath(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", DEFAULT_PATH).split(File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Starts the command of a job, which ends at once where another server has claimed the job.
     *
     * @throws IOException when there is no such directory, or the machine can start no more processes
     */
    Process start(JobFolder folder, Owner owner, ShellCommand command, List<String> commandLine) throws IOException {
        var line = new ArrayList<>(newSession);
        line.addAll(List.of("/bin/sh", "-c", SCRIPT, "longhaul-job"));
        line.add(folder.path().toAbsolutePath().toString());
        line.add(Long.toString(OutputFiles.room(command.outputCap)));
        addCommand(line, commandLine);
        var builder = new ProcessBuilder(line)
                .redirectInput(NOTHING)
                .redirectOutput(NOTHING)
                .redirectError(ProcessBuilder.Redirect.appendTo(folder.errors().toFile()));
        var directory = command.directory;
        if (directory != null) {
            builder.directory(directory.toFile());
        }
        setEnvironment(builder.environment(), folder, command);
        builder.environment().put(OWNER, owner.value().replace('\0', '?'));
        return builder.start();
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

    /** The UTF-8 bytes as printf(1) reads them with %b, those that are not ASCII text as {@code \0ooo}. */
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

    private static void setEnvironment(Map<String, String> job, JobFolder folder, ShellCommand command) {
        // Variables are kept rather than copied, which would spoil bytes that are no text.
        job.keySet().removeIf(name -> !INHERITED.contains(name) && !command.inherited.contains(name));
        job.putIfAbsent("PATH", DEFAULT_PATH);
        job.putAll(command.environment);
        job.put(ProcessTable.MARK, folder.task().value());
    }

    private static String script() {
        try (var resource = JobStarter.class.getResourceAsStream("job.sh")) {
            if (resource == null) {
                throw new IllegalStateException("job.sh is missing in the jar");
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
