// SPDX-License-Identifier: Apache-2.0
package io.longhaul.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Kills a {@link KilledHost} again and again while its calls are open at a server on the TypeScript SDK 1.x, which
 * knows no creation keys and shows a task only in the session that made it. Each check is a line, and a fault ends the
 * program with status 1.
 */
public final class PeerKills {

    private static final String UNKNOWN = "OutcomeUnknown";

    private final Random random = new Random(7);
    private final Path folder;
    private final int kills;
    private boolean holds = true;

    private PeerKills(Path folder, int kills) {
        this.folder = folder;
        this.kills = kills;
    }

    /** @param args the program {@code node}, the folder for what host and server write, and the number of kills */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[1]).resolve("kills");
        if (Files.exists(folder)) {
            try (Stream<Path> old = Files.list(folder)) {
                for (Path file : old.toList()) {
                    Files.delete(file);
                }
            }
        }
        Files.createDirectories(folder);
        PeerKills run = new PeerKills(folder, Integer.parseInt(args[2]));
        run.kill(args[0]);
        run.judge();
        System.exit(run.holds ? 0 : 1);
    }

    private void kill(String node) throws Exception {
        Map<String, String> ledger = Map.of("LEDGER", folder.resolve("ledger").toString());
        try (PeerProcess server =
                PeerProcess.start(List.of(node, "ledger.mjs"), "PORT", ledger, folder.resolve("server.log"))) {
            Process host = host(server);
            for (int kill = 0; kill < kills; kill++) {
                moment(host);
                host.destroyForcibly().waitFor();
                host = host(server);
            }
            Files.createFile(folder.resolve("enough"));
            List<String> said = host.inputReader().lines().toList();
            tell("the host comes to its end", !said.isEmpty() && said.getLast().equals("done"), said);
            host.destroyForcibly();
        }
    }

    private Process host(PeerProcess server) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledHost.class.getName(),
                        server.uri().toString(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("host.log").toFile()))
                .start();
    }

    /** Lets the host go on to a moment of its life: it connects, resumes calls, or has ended some of them. */
    private void moment(Process host) throws IOException {
        for (int line = random.nextInt(4); line > 0; line--) {
            host.inputReader().readLine();
        }
        byte[] busy = new byte[1 << 20];
        for (int round = random.nextInt(200); round > 0; round--) {
            random.nextBytes(busy);
        }
    }

    private void judge() throws IOException {
        TreeMap<Integer, String> outcomes = new TreeMap<>();
        for (String line : lines("outcomes")) {
            int number = KilledHost.number(line);
            String outcome = line.substring(line.indexOf(' ') + 1);
            String before = outcomes.put(number, outcome);
            if (before != null && !before.equals(outcome)) {
                tell("call " + number + " has one outcome", false, before + " and " + outcome);
            }
        }
        int calls = outcomes.isEmpty() ? 0 : outcomes.lastKey() + 1;
        tell("no call is forgotten", outcomes.size() == calls && calls >= KilledHost.OPEN, outcomes.keySet());
        Set<Integer> unknown = numbers(outcomes, UNKNOWN);
        Map<Integer, String> others = new TreeMap<>(outcomes);
        others.keySet().removeAll(unknown);
        others.entrySet().removeIf(call -> call.getValue().contains(own(call.getKey())));
        tell("each call whose outcome is known ends with its own result", others.isEmpty(), others);
        List<String> ran = lines("ledger");
        tell("no charge ran twice", new HashSet<>(ran).size() == ran.size(), ran);
        Set<Integer> answered = new HashSet<>();
        lines("tasks").forEach(line -> answered.add(KilledHost.number(line)));
        answered.retainAll(unknown);
        tell("no outcome is unknown that the server had answered with a task", answered.isEmpty(), answered);
        Set<Integer> replays = new HashSet<>(unknown);
        replays.removeIf(number -> KilledHost.tool(number).equals("charge"));
        tell("no outcome of an idempotent tool is unknown", replays.isEmpty(), replays);
        tell(
                kills + " kills: " + calls + " calls, " + ran.size() + " charges ran, " + unknown.size()
                        + " outcomes are unknown",
                unknown.size() <= kills * KilledHost.OPEN / 2,
                unknown);
    }

    private static String own(int number) {
        return "\"" + (KilledHost.tool(number).equals("charge") ? "charged " : "replayed ") + number + "\"";
    }

    private static Set<Integer> numbers(Map<Integer, String> outcomes, String kind) {
        Set<Integer> numbers = new HashSet<>();
        outcomes.forEach((number, outcome) -> {
            if (outcome.startsWith(kind)) {
                numbers.add(number);
            }
        });
        return numbers;
    }

    private List<String> lines(String file) throws IOException {
        return KilledHost.lines(folder.resolve(file));
    }

    private void tell(String what, boolean isSo, Object seen) {
        holds &= isSo;
        System.out.println(
                (isSo ? "ok - " : "not ok - ") + "killed at the sdk 1.x: " + what + (isSo ? "" : "\n    " + seen));
    }
}
