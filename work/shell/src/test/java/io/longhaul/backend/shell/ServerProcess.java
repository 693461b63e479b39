// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import io.longhaul.engine.task.Payload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs jobs in a JVM of its own, for tests that kill that. Arguments: the folder, and the script of a single job. */
final class ServerProcess {

    static final int MANY = 40;

    private ServerProcess() {}

    public static void main(String[] arguments) throws Exception {
        var jobs = new Jobs(Path.of(arguments[0]));
        if (arguments.length > 1) {
            jobs.running(Jobs.script(arguments[1])).run(jobs.run());
            return;
        }
        var all = new ArrayList<Thread>();
        for (int i = 0; i < MANY; i++) {
            var number = i;
            all.add(Thread.ofVirtual().start(() -> runOneOfMany(jobs, number)));
        }
        for (var one : all) {
            one.join();
        }
    }

    /** Starts a server with a single job. */
    static Process start(Path home, String script) throws IOException {
        return start(List.of(home.toString(), script), ProcessBuilder.Redirect.INHERIT);
    }

    /** Starts a server with many jobs, which prints a line when the handle of one was saved. */
    static Process startMany(Path home) throws IOException {
        return start(List.of(home.toString()), ProcessBuilder.Redirect.PIPE);
    }

    /** A job that leaves a line for each time it is run. */
    static ShellCommand.Builder oneOfMany(Path home, int number) {
        return Jobs.script("echo run >> runs" + number + "; echo done").directory(home);
    }

    private static void runOneOfMany(Jobs jobs, int number) {
        var run = jobs.run(number);
        var telling = new RecordingRun(run.id(), run.handlePath()) {
            @Override
            public void saveHandle(Payload saved) {
                super.saveHandle(saved);
                System.out.println("saved");
            }
        };
        try {
            jobs.running(oneOfMany(jobs.home, number)).run(telling);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static Process start(List<String> arguments, ProcessBuilder.Redirect output) throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var line = new ArrayList<>(List.of(java, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
        line.add(System.getProperty("java.class.path"));
        line.add(ServerProcess.class.getName());
        line.addAll(arguments);
        return new ProcessBuilder(line)
                .redirectOutput(output)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
