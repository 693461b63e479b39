// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.job;

import io.longhaul.client.McpClient;
import io.longhaul.client.QuestionHandler;
import io.longhaul.client.QuestionHandler.Form;
import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.TaskId;
import io.longhaul.file.FilePlace;
import io.longhaul.file.FileTools;
import io.longhaul.file.ServerFile;
import io.longhaul.protocol.json.Json;
import io.longhaul.server.McpServer;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** A server in this process, whose tool {@code speak} is a script that speaks to its task by lines. */
abstract class SpeakingServer {

    /** What a script needs: to say a line, to wait for an answer, and to write down what it does. */
    static final String WORDS = """
        say() { printf '%s\\n' "$1" >>"$LONGHAUL_SAY"; }
        await() {
          while [ ! -e "$LONGHAUL_TASK_DIR/$1.json" ]; do sleep 0.02; done
          cat "$LONGHAUL_TASK_DIR/$1.json"
          echo
        }
        step() {
          [ -e "$LONGHAUL_TASK_DIR/steps/$1.json" ] || {
            echo "$1" >>done
            say "{\\"step\\": \\"$1\\", \\"value\\": $2}"
          }
          await "steps/$1"
        }
        """;

    @TempDir
    Path home;

    final List<String> asked = new CopyOnWriteArrayList<>();
    AutoCloseable server = () -> {};
    Http http;
    private TaskStore store;

    void serves(String script) throws Exception {
        serves(script, "");
    }

    /** @param fields more fields of the tool, such as {@code suspendAfter: 1s} */
    void serves(String script, String fields) throws Exception {
        Files.writeString(home.resolve("speak.sh"), WORDS + script);
        Files.writeString(home.resolve("tools.yaml"), """
            tools:
              speak: {command: [sh, speak.sh], input: {name?: string}, onCrash: restart, %s}
              greet: {command: [echo, 'Hello {name}'], input: {name: string}}
              wait: {command: [sh, -c, 'while [ ! -e again ]; do sleep 0.02; done; echo waited']}
            """.formatted(fields));
        serves(Http.onPort(0));
    }

    void serves(Http on) throws Exception {
        http = on;
        var file = ServerFile.read(home.resolve("tools.yaml"));
        store = SqliteTaskStore.at(home.resolve("tasks.db"));
        var place = FilePlace.of(store, home.resolve("jobs"));
        FileTools tools = FileTools.of(file, McpServer.builder("shop", "1.0"), place, Optional.of(http));
        tools.serve(http);
        server = tools;
    }

    @AfterEach
    void close() throws Exception {
        server.close();
    }

    String outcome(QuestionHandler answers) throws Exception {
        try (var client = McpClient.to(http.url()).answers(answers).connect()) {
            return client.call("speak", Map.of("name", "Ada")).await().toString();
        }
    }

    Reply says(Form form, String content) {
        asked.add(form.message());
        return new Reply.Accepted(Json.raw(content));
    }

    String done() throws Exception {
        return Files.readString(home.resolve("done"));
    }

    /** The log lines of the task. */
    List<String> logged() {
        return events(EventDetail.Logged.class).stream()
                .flatMap(line -> JsonMapper.shared()
                        .readTree(line.data().bytes())
                        .stringValue()
                        .lines())
                .toList();
    }

    /** The task that no other task has called. */
    TaskId last() {
        return store.list(TaskFilter.ALL, null, 10).tasks().getLast().id();
    }

    /** What happened to the task that no other task has called. */
    <T extends EventDetail> List<T> events(Class<T> kind) {
        var found = new ArrayList<T>();
        var page = store.history(last(), 0, 1_000);
        while (!page.isEmpty()) {
            page.stream()
                    .map(TaskEvent::what)
                    .filter(kind::isInstance)
                    .map(kind::cast)
                    .forEach(found::add);
            page = store.history(last(), page.getLast().seq(), 1_000);
        }
        return found;
    }
}
