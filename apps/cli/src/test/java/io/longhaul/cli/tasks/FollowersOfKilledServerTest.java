// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.StartedServersFixture;
import io.longhaul.cli.terminal.TestTerminal;
import java.net.URI;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands that follow a task whose server is killed and started again. */
@Timeout(180)
class FollowersOfKilledServerTest extends StartedServersFixture {
    private static final String TOOLS = """
        tools:
          wait: {command: [sh, -c, 'echo begun; while [ ! -e "$0" ]; do sleep 0.1; done; echo over', '%s']}
        """;

    private FutureTask<Integer> follow(TestTerminal at, String command, String task) {
        var line = new ArrayList<>(List.of(command.split(" ")));
        line.add(task);
        var following = new FutureTask<>(() -> new Cli(at.terminal()).run(line));
        Thread.ofVirtual().start(following);
        return following;
    }

    private static void awaitBegun(TestTerminal at, String command) throws InterruptedException {
        if (command.equals("attach")) {
            at.awaitErr("begun");
        } else {
            at.awaitOut("begun");
        }
    }

    @Test
    void all_say_that_the_server_is_away_and_follow_on() throws Exception {
        var go = folder.resolve("go");
        var file = Files.writeString(folder.resolve("tools.yaml"), TOOLS.formatted(go));
        var url = servers.serve(file);
        assertThat(run("call", url, "wait", "--detach")).as(user.err()).isZero();
        var task = user.out().strip();

        var users = new LinkedHashMap<TestTerminal, FutureTask<Integer>>();
        for (var command : List.of("attach", "tasks watch", "tasks logs -f")) {
            var at = servers.user();
            users.put(at, follow(at, command, task));
            awaitBegun(at, command);
        }
        servers.kill();
        for (var at : users.keySet()) {
            at.awaitErr("Cannot connect to " + url);
            at.awaitErr("(still trying)");
        }
        servers.serve(file, URI.create(url).getPort());
        Files.createFile(go);
        for (var following : users.entrySet()) {
            assertThat(following.getValue().get()).as(following.getKey().err()).isZero();
            assertThat(following.getKey().out()).contains("over");
        }
    }
}
