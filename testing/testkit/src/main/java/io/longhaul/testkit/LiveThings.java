// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.longhaul.protocol.json.JsonTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/**
 * What is alive in this JVM at one moment: threads, child processes, and open sockets and pipes.
 *
 * @param byId what it is, in words, by an id that is given once
 */
record LiveThings(Map<String, String> byId) {

    /** Platform threads of the JVM's own, such as the carriers of virtual threads and the reaper of processes. */
    private static final Set<String> GROUPS_OF_THE_JVM = Set.of("system", "InnocuousThreadGroup", "CarrierThreads");

    /** Threads that the JDK and JUnit start when they are first needed, and keep for all who need them later. */
    private static final Pattern SHARED =
            Pattern.compile("ForkJoinPool\\.commonPool-.*|CompletableFutureDelayScheduler|.*SubPoller.*|junit-.*");

    private static final HotSpotDiagnosticMXBean JVM =
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final int FRAMES = 12;

    static {
        // The first socket that is ever closed leaves one open, by which the JDK closes all others.
        try (var first = ServerSocketChannel.open()) {
            first.bind(null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static LiveThings now() {
        try {
            var things = new HashMap<String, String>();
            things.putAll(threads());
            things.putAll(processes());
            things.putAll(descriptors());
            return new LiveThings(Map.copyOf(things));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What has come to life since {@code before}. */
    List<String> since(LiveThings before) {
        return byId.entrySet().stream()
                .filter(thing -> !before.byId.containsKey(thing.getKey()))
                .map(Map.Entry::getValue)
                .sorted()
                .toList();
    }

    /**
     * A dump of threads shows the virtual ones too, whichever way they were started, unless the JVM was told not to
     * track them: {@code -Djdk.trackAllThreads=false}.
     */
    private static Map<String, String> threads() throws IOException {
        var containers = dump().path("threadDump").path("threadContainers");
        var platform = Thread.getAllStackTraces().keySet().stream()
                .collect(Collectors.toMap(thread -> String.valueOf(thread.threadId()), LiveThings::isOfTheJvm));
        var threads = new HashMap<String, String>();
        for (var container : containers) {
            for (var thread : container.path("threads")) {
                var id = thread.path("tid").asString("");
                var name = thread.path("name").asString("");
                if (!platform.getOrDefault(id, false) && !SHARED.matcher(name).matches()) {
                    var kind = platform.containsKey(id) ? "thread " : "virtual thread ";
                    threads.put("thread " + id, kind + id + " \"" + name + "\"" + stack(thread));
                }
            }
        }
        return threads;
    }

    private static boolean isOfTheJvm(Thread thread) {
        var group = thread.getThreadGroup();
        return group == null || GROUPS_OF_THE_JVM.contains(group.getName());
    }

    private static JsonNode dump() throws IOException {
        var folder = Files.createTempDirectory("threads");
        var file = folder.resolve("dump.json");
        try {
            JVM.dumpThreads(file.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.JSON);
            return JsonTree.read(Files.readAllBytes(file));
        } finally {
            Files.deleteIfExists(file);
            Files.delete(folder);
        }
    }

    private static String stack(JsonNode thread) {
        return StreamSupport.stream(thread.path("stack").spliterator(), false)
                .limit(FRAMES)
                .map(frame -> "\n    at " + frame.asString(""))
                .collect(Collectors.joining());
    }

    private static Map<String, String> processes() {
        return ProcessHandle.current()
                .descendants()
                .filter(ProcessHandle::isAlive)
                .collect(Collectors.toMap(
                        process -> "process " + process.pid() + process.info().startInstant(),
                        process -> "process " + process.pid() + " "
                                + process.info().commandLine().orElse("")));
    }

    private static Map<String, String> descriptors() throws IOException {
        var open = new HashMap<String, String>();
        if (!Files.isDirectory(DESCRIPTORS)) {
            return open;
        }
        var links = new ArrayList<Path>();
        try (var entries = Files.newDirectoryStream(DESCRIPTORS)) {
            entries.forEach(links::add);
        }
        for (var link : links) {
            var target = target(link);
            if (target.startsWith("socket:") || target.startsWith("pipe:")) {
                open.put(target, target);
            }
        }
        return open;
    }

    /** What a descriptor stands for; nothing where it was closed meanwhile. */
    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException e) {
            return "";
        }
    }
}
