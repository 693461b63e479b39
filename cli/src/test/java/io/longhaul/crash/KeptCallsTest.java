package io.longhaul.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A host with open calls is killed, its server is, and both are: each call ends once, with its own result. */
@Timeout(900)
class KeptCallsTest {

    /** More by {@code -Dkept.kills}, at other moments by {@code -Dkept.seed}; decision 58 has a long run. */
    private static final int KILLS = Integer.getInteger("kept.kills", 3);

    private static final String STOPPED = "The server stopped while the work ran";

    private enum Victim {
        CLIENT,
        SERVER,
        BOTH
    }

    @TempDir
    Path folder;

    private final Random random = new Random(Integer.getInteger("kept.seed", 7));
    private ServerProcess server;
    private Process client;

    @BeforeEach
    void start() throws IOException {
        server = ServerProcess.start(folder);
        client = client();
    }

    @AfterEach
    void stop() throws InterruptedException {
        server.kill();
        client.destroyForcibly().waitFor();
    }

    private Process client() throws IOException {
        return ServerProcess.jvm(KeptCalls.class, server.uri().toString(), folder.toString())
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("client.log").toFile()))
                .start();
    }

    @ParameterizedTest
    @EnumSource
    void each_call_ends_with_its_own_result_and_none_runs_twice(Victim victim) throws Exception {
        for (int kill = 0; kill < KILLS; kill++) {
            moment();
            if (victim != Victim.CLIENT) {
                server.kill();
            }
            if (victim != Victim.SERVER) {
                client.destroyForcibly().waitFor();
            }
            if (victim != Victim.CLIENT) {
                server = ServerProcess.start(folder, server.uri().getPort());
            }
            if (victim != Victim.SERVER) {
                client = client();
            }
        }
        Files.createFile(folder.resolve("enough"));
        assertThat(client.inputReader().lines().toList())
                .as(() -> read("client.log").toString())
                .endsWith("done");
        var outcomes = outcomes();
        assertThatEachCallEndedWithItsOwnResult(outcomes, victim != Victim.CLIENT);
        assertThatNoChargeRanTwice(outcomes);
    }

    /** Lets the client go on to a moment of its life: it connects, resumes calls, or has ended some of them. */
    private void moment() throws IOException {
        for (int line = random.nextInt(4); line > 0; line--) {
            client.inputReader().readLine();
        }
        var busy = new byte[1 << 20];
        for (int round = random.nextInt(200); round > 0; round--) {
            random.nextBytes(busy);
        }
    }

    private List<String> read(String file) {
        try {
            return Files.readAllLines(folder.resolve(file));
        } catch (IOException e) {
            return List.of(e.toString());
        }
    }

    /** What the host knows of each call; twice the same where it died before it acknowledged the call. */
    private TreeMap<Integer, String> outcomes() {
        var outcomes = new TreeMap<Integer, String>();
        for (var line : read("outcomes")) {
            var parts = line.split(" ", 2);
            var before = outcomes.put(KeptCalls.number(parts[0]), parts[1]);
            assertThat(before).as("what was told before of " + parts[0]).isIn(null, parts[1]);
        }
        return outcomes;
    }

    private void assertThatEachCallEndedWithItsOwnResult(TreeMap<Integer, String> outcomes, boolean serverDied) {
        assertThat(outcomes.keySet())
                .as("no call is forgotten")
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(0, outcomes.lastKey()).boxed().toList());
        assertThat(outcomes).hasSizeGreaterThanOrEqualTo(KeptCalls.OPEN).allSatisfy((number, outcome) -> {
            if (KeptCalls.tool(number).equals("replay")) {
                assertThat(outcome).contains("\"step of call-" + number + "\"");
            } else if (!serverDied || !outcome.contains(STOPPED)) {
                assertThat(outcome).contains("\"charged call-" + number + "\"");
            }
        });
    }

    /** The death of a server ends a tool that must not run twice, also where the tool has not begun. */
    private void assertThatNoChargeRanTwice(TreeMap<Integer, String> outcomes) {
        var ran = read("ledger").stream().map(KeptCalls::charged).toList();
        assertThat(ran).as("runs").doesNotHaveDuplicates();
        var charged = outcomes.entrySet().stream()
                .filter(entry -> entry.getValue().contains("charged"))
                .map(Map.Entry::getKey)
                .toList();
        assertThat(ran).containsAll(charged);
        System.out.printf(
                "%d kills: %d calls, each with one outcome; %d charges ran, each once; %d ended with the server%n",
                KILLS,
                outcomes.size(),
                ran.size(),
                outcomes.values().stream()
                        .filter(outcome -> outcome.contains(STOPPED))
                        .count());
    }
}
