// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import io.longhaul.engine.run.Backend;
import io.longhaul.engine.task.Payload;
import io.longhaul.testkit.BackendContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Commands as jobs that outlive their servers. */
class ShellBackendTest extends BackendContract {

    @Override
    protected Outside outside(Path home) {
        return new Commands(home);
    }

    private record Commands(Path home) implements Outside {

        /** Each job writes down its process, and waits for the end. */
        @Override
        public Backend newBackend() throws IOException {
            var script = "echo $$ >> '" + home.resolve("begun") + "'; while [ ! -e '" + home.resolve("go")
                    + "' ]; do sleep 0.02; done; echo done";
            return ShellBackend.in(home.resolve("jobs"))
                    .running(Jobs.script(script).build(), request -> Map.of(), Jobs.TEXT);
        }

        @Override
        public void endJobs() throws IOException {
            Files.createFile(home.resolve("go"));
        }

        @Override
        public void deleteJobs() throws IOException {
            processes().forEach(ProcessHandle::destroyForcibly);
        }

        private List<String> lines() throws IOException {
            var begun = home.resolve("begun");
            return Files.exists(begun) ? Files.readAllLines(begun) : List.of();
        }

        private List<ProcessHandle> processes() throws IOException {
            return lines().stream()
                    .flatMap(line -> ProcessHandle.of(Long.parseLong(line)).stream())
                    .filter(ProcessHandle::isAlive)
                    .toList();
        }

        @Override
        public int begun() throws IOException {
            return lines().size();
        }

        @Override
        public void awaitBegun(int jobs) throws IOException {
            while (begun() < jobs) {
                Thread.onSpinWait();
            }
        }

        @Override
        public boolean isBegun(Payload handle) {
            return true;
        }

        @Override
        public int running() throws IOException {
            return processes().size();
        }

        /** A shell that began its job has written so in the folder of the task. */
        @Override
        public boolean findsLostStarts() {
            return true;
        }

        @Override
        public void close() throws IOException {
            deleteJobs();
        }
    }
}
