package io.longhaul.backend.shell;

import java.nio.file.Path;

/** Runs a job in a JVM of its own, for tests that kill that. Arguments: the folder, and the script of the job. */
final class ServerProcess {

    private ServerProcess() {}

    public static void main(String[] arguments) throws Exception {
        var jobs = new Jobs(Path.of(arguments[0]));
        jobs.running(Jobs.script(arguments[1])).run(jobs.run());
    }

    static Process start(Path home, String script) throws java.io.IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new ProcessBuilder(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ServerProcess.class.getName(),
                        home.toString(),
                        script)
                .inheritIO()
                .start();
    }
}
