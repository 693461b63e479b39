// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A process that suffers faults. */
final class Victim {

    private static final long START_SECONDS = 120;

    private static final String CLASS_PATH = System.getProperty("java.class.path");

    private final Process process;
    private final String greeting;

    private Victim(Process process, String greeting) {
        this.process = process;
        this.greeting = greeting;
    }

    /**
     * Starts a main class of this class path, and returns when it has printed its first line.
     *
     * @param name      the name of its log
     * @param prefix    the words before the command, usually none
     * @param preloaded makes its disk and its clock fail, or empty
     */
    static Victim start(
            Path folder,
            String name,
            List<String> prefix,
            Optional<Preloaded> preloaded,
            Class<?> main,
            String... words)
            throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                CLASS_PATH,
                main.getName()));
        if (CLASS_PATH.matches("([^:]+[.]jar:?)+")) {
            // The first victim that ends by itself writes a class archive. A class path with folders cannot have one.
            command.addAll(prefix.size() + 1, archive(folder.resolve(main.getSimpleName() + ".jsa")));
        }
        command.addAll(List.of(words));
        var builder = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        folder.resolve(name + ".log").toFile()));
        preloaded.ifPresent(faults -> faults.into(builder.environment()));
        var process = builder.start();
        var greeting = process.inputReader().readLine();
        if (greeting == null) {
            throw new IOException("the " + name + " did not start: see " + folder.resolve(name + ".log"));
        }
        return new Victim(process, greeting);
    }

    private static List<String> archive(Path file) {
        return List.of("-Xlog:disable", "-XX:+AutoCreateSharedArchive", "-XX:SharedArchiveFile=" + file);
    }

    /** The first line that the process printed. */
    String greeting() {
        return greeting;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Sends SIGKILL: the process finishes nothing. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Sends SIGTERM, and SIGKILL where that does not help. */
    void end() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(START_SECONDS, TimeUnit.SECONDS)) {
            kill();
        }
    }

    /** Waits until the process ends by itself; false where it goes on for longer. */
    boolean awaitEnd(long seconds) throws InterruptedException {
        return process.waitFor(seconds, TimeUnit.SECONDS);
    }

    /** Sends SIGSTOP: the process is paused, and its sockets stay open. */
    void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    /** Sends a signal. Errors of kill are ignored: a process that has ended meanwhile needs no signal. */
    private void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
