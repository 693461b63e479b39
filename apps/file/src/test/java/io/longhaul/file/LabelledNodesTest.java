// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.ForwardingStore;
import io.longhaul.engine.store.NodeRole;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.TaskId;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.fakes.MemoryTransport;
import io.longhaul.file.settings.StoreAddress;
import io.longhaul.server.McpServer;
import io.longhaul.server.ServerTasks;
import io.longhaul.server.Tool;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers of one file over one store, whose tools run where the labels of the server have theirs. */
@Timeout(60)
class LabelledNodesTest {

    private static final String FILE = """
        tools:
          trains: {command: [echo, trained], on: [gpu]}
          greets: {command: [echo, hello]}
        upstreams:
          behind: {url: '%s', on: gpu}
          other: {url: '%1$s', prefix: other_}
        """;

    @TempDir
    private Path folder;

    private final MemoryTaskStore store = MemoryTaskStore.shared(new FakeTime());
    private final List<TaskId> begun = new ArrayList<>();
    private McpServer behind;
    private ServerFile file;

    @BeforeEach
    void serve() throws IOException {
        var http = Http.onPort(0);
        behind = McpServer.builder("behind", "1")
                .store(new MemoryTaskStore())
                .tool(Tool.define("computes").longRunning().handler((none, task) -> "42"))
                .serve(http);
        file = ServerFile.read(Files.writeString(folder.resolve("tools.yaml"), FILE.formatted(http.url())));
    }

    @AfterEach
    void close() {
        behind.close();
    }

    private FileTools node(String name, NodeRole role) throws IOException {
        var here = new ForwardingStore(store) {
            @Override
            public void close() {
                // The end of a node is not that of the store.
            }
        };
        return FileTools.of(
                file.storing(StoreAddress.of("jdbc:postgresql:tasks").withRole(role)),
                McpServer.builder("node", "1"),
                FilePlace.of(here, folder.resolve(name)).node(name),
                Optional.empty());
    }

    /** The lease under which a task of a tool begins; null where another node is to run it. */
    private @Nullable Lease begun(McpServer server, String tool) {
        var task = ((ServerTasks.Started.New) server.tasks().start(tool, Map.of())).task();
        if (task.execution().lease() != null) {
            begun.add(task.id());
        }
        return task.execution().lease();
    }

    /** What a command still writes would be in the way of those who delete the folder. */
    private void awaitEnds() {
        while (begun.stream().anyMatch(id -> store.find(id).orElseThrow().ending() == null)) {
            Thread.onSpinWait();
        }
    }

    @Test
    void a_tool_of_the_file_or_of_an_upstream_runs_where_the_server_has_its_labels() throws Exception {
        try (var plain = node("plain", NodeRole.ALL);
                var front = node("front", new NodeRole(NodeRole.Kind.FRONT, Set.of()));
                var gpu = node("gpu", new NodeRole(NodeRole.Kind.WORK, Set.of("gpu", "eu")))) {
            var one = plain.serve(new MemoryTransport());
            var none = front.serve(new MemoryTransport());
            for (var tool : List.of("trains", "computes")) {
                assertThat(begun(one, tool)).as(tool).isNull();
            }
            for (var tool : List.of("greets", "other_computes")) {
                assertThat(begun(one, tool)).as(tool).isNotNull();
                assertThat(begun(none, tool)).as(tool).isNull();
            }
            var labelled = gpu.serve(new MemoryTransport());
            for (var tool : List.of("trains", "computes", "greets", "other_computes")) {
                assertThat(begun(labelled, tool)).as(tool).isNotNull();
            }
            awaitEnds();
        }
    }
}
