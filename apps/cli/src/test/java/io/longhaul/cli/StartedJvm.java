// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import io.longhaul.client.McpClient;
import io.longhaul.protocol.json.Json;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The commands of JVMs that tests start with the class path of the test. They start from a class archive, which takes
 * a third of the CPU of a start without one. As an archive knows jars alone, the folders of the class path are packed.
 * Both are made by the first process that asks, once for what is compiled.
 */
public final class StartedJvm {

    private static final Path HOME = Path.of("target", "started-jvm").toAbsolutePath();
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    /** The option of a JVM that ends before what its second compiler does pays. */
    public static final String SHORT_LIVED = "-XX:TieredStopAtLevel=1";

    /** The same for one whose heap stays small. */
    public static final String SMALL = "-XX:+UseSerialGC";

    private static final List<String> OPTIONS =
            List.of(SMALL, SHORT_LIVED, "-Xlog:disable", "--enable-native-access=ALL-UNNAMED");

    private static final String AT = "longhaul: at ";
    private static final String TOOLS = "tools: {say: {quick: true, command: [echo, hello]}}";

    private static @Nullable List<String> start;

    private StartedJvm() {}

    /** The command of the program, to which arguments are appended. */
    public static List<String> program() {
        return command(Main.class);
    }

    public static List<String> command(Class<?> main, String... words) {
        var command = new ArrayList<>(start());
        command.add(main.getName());
        command.addAll(List.of(words));
        return command;
    }

    private static synchronized List<String> start() {
        if (start == null) {
            try {
                Files.createDirectories(HOME);
                // Closing it gives the lock back.
                try (var file = FileChannel.open(HOME.resolve("lock"), CREATE, WRITE)) {
                    file.lock();
                    start = made();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
        return start;
    }

    private static List<String> made() throws IOException, InterruptedException {
        var entries = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(Files::exists)
                .map(Path::toAbsolutePath)
                .toList();
        var folder = HOME.resolve(stamp(entries));
        var archive = folder.resolve("classes.archive");
        var isMade = Files.exists(archive);
        Files.createDirectories(folder);
        var jars = new ArrayList<String>();
        for (var entry : entries) {
            var jar = Files.isDirectory(entry) ? folder.resolve(jars.size() + ".jar") : entry;
            if (!jar.equals(entry) && !isMade) {
                pack(entry, jar);
            }
            jars.add(jar.toString());
        }
        var classPath = List.of("-cp", String.join(File.pathSeparator, jars));
        if (!isMade) {
            train(folder, classPath, archive);
        }
        return Stream.of(List.of(JAVA), OPTIONS, List.of("-XX:SharedArchiveFile=" + archive), classPath)
                .flatMap(List::stream)
                .toList();
    }

    /** Another one for other jars, and for other files in the folders. */
    private static String stamp(List<Path> entries) throws IOException {
        var all = new StringBuilder(Runtime.version().toString());
        for (var entry : entries) {
            try (var files = Files.walk(entry)) {
                for (var file : files.filter(Files::isRegularFile).sorted().toList()) {
                    all.append(file).append(Files.getLastModifiedTime(file)).append(Files.size(file));
                }
            }
        }
        return UUID.nameUUIDFromBytes(all.toString().getBytes(UTF_8)).toString();
    }

    private static void pack(Path folder, Path jar) {
        int code = ToolProvider.findFirst("jar")
                .orElseThrow()
                .run(System.out, System.err, "-c", "-f", jar.toString(), "-0", "-M", "-C", folder.toString(), ".");
        if (code != 0) {
            throw new IllegalStateException(folder + " cannot be packed");
        }
    }

    /** Has a server of this program answer, and write the archive when it ends. */
    private static void train(Path folder, List<String> classPath, Path archive)
            throws IOException, InterruptedException {
        var file = Files.writeString(folder.resolve("tools.yaml"), TOOLS);
        var written = folder.resolve("written.archive");
        var command = Stream.of(
                        List.of(JAVA),
                        OPTIONS,
                        List.of("-XX:ArchiveClassesAtExit=" + written),
                        classPath,
                        List.of(Main.class.getName(), "serve", file.toString(), "--http", "0", "--data"),
                        List.of(folder.resolve("data").toString()))
                .flatMap(List::stream)
                .toList();
        var server = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var said = server.inputReader()) {
            call(address(said));
            // By the handle, which leaves what was said to be read.
            server.toHandle().destroy();
            var rest = said.lines().collect(Collectors.joining("\n"));
            server.waitFor();
            if (!Files.exists(written)) {
                throw new IOException("the server wrote no class archive:\n" + rest);
            }
        } finally {
            server.destroyForcibly();
        }
        Files.move(written, archive);
    }

    private static URI address(BufferedReader lines) throws IOException {
        var said = new StringBuilder();
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(AT)) {
                return URI.create(line.substring(AT.length()));
            }
            said.append(line).append('\n');
        }
        throw new IOException("the server did not start:\n" + said);
    }

    private static void call(URI server) throws InterruptedException {
        try (var client = McpClient.to(server).connect()) {
            client.call("say", Json.raw("{}")).await();
        }
    }
}
