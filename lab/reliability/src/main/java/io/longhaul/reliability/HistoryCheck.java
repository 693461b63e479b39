// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Task;
import io.longhaul.reliability.Verdict.Broken;
import io.longhaul.reliability.Verdict.Counted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compares, after the run, what clients were told, what really ran, and what is stored. Pure. */
final class HistoryCheck {

    private static final String INTERRUPTED = "The server stopped while the work ran";
    private static final String NOT_STARTED = "Internal error (";
    private static final String JOB_ELSEWHERE = "the records of the job are gone";
    private static final Duration IN_TIME = Duration.ofSeconds(20);

    /** What the client of one call noted. */
    private static final class Told {
        private boolean acknowledged;
        private boolean interrupted;
        private final List<String> ends = new ArrayList<>();
    }

    private final Map<String, Told> calls = new LinkedHashMap<>();
    private final Set<String> asked = new HashSet<>();
    private final List<Absence> absences;
    private final Verdict verdict = new Verdict();

    private HistoryCheck(List<Absence> absences) {
        this.absences = absences;
    }

    /**
     * Judges a history.
     *
     * @param told     the lines of the clients
     * @param ledger   the lines of the work
     * @param stored   the tasks, once all is over
     * @param absences of nodes, none where there was one server
     */
    static Verdict judge(List<String> told, List<String> ledger, List<Stored> stored, List<Absence> absences) {
        var history = new HistoryCheck(absences);
        told.forEach(history::read);
        var ran = ran(ledger);
        history.judgeEnds(ran, traces(ran, stored));
        history.judgeLedger(ledger);
        history.judgeStored(stored);
        history.judgeAbsences();
        return history.verdict;
    }

    private void read(String line) {
        var words = line.split(" ", 3);
        switch (words[0]) {
            case "began" -> interrupted(words[1]);
            case "called" -> calls.put(words[1], new Told());
            case "asked" -> asked.add(words[1]);
            case "acknowledged" -> told(words[1]).acknowledged = true;
            case "ended" -> told(words[1]).ends.add(words[2]);
            default -> verdict.found(Broken.UNANSWERED, line);
        }
    }

    /** Notes that the host of a generation was killed: a call that the host had not stored yet was not made. */
    private void interrupted(String generation) {
        calls.forEach((label, told) -> {
            if (TortureClient.generationOf(label).equals(generation)) {
                told.interrupted = true;
            }
        });
    }

    /** The labels of all calls whose work has run. */
    private static Set<String> ran(List<String> ledger) {
        return ledger.stream().map(line -> line.split(" ", 2)[1].split("/")[0]).collect(Collectors.toSet());
    }

    /** The labels of all calls that left any trace at the server. */
    private static Set<String> traces(Set<String> ran, List<Stored> stored) {
        Set<String> traces = new HashSet<>(ran);
        stored.forEach(one -> traces.add(one.label()));
        return traces;
    }

    private Told told(String label) {
        return calls.computeIfAbsent(label, unknown -> new Told());
    }

    private void judgeEnds(Set<String> ran, Set<String> traces) {
        calls.forEach((label, call) -> {
            verdict.count(Counted.CALLS);
            if (call.acknowledged) {
                verdict.count(Counted.ACKNOWLEDGED);
            }
            if (!call.ends.isEmpty()) {
                judgeEnds(label, call, ran.contains(label));
            } else if (call.interrupted && !call.acknowledged && !traces.contains(label)) {
                verdict.count(Counted.UNMADE);
            } else {
                verdict.found(Broken.UNANSWERED, label);
            }
        });
    }

    private void judgeEnds(String label, Told call, boolean ran) {
        if (call.ends.stream().distinct().count() > 1) {
            verdict.found(Broken.CHANGED, label + ": " + call.ends);
        }
        var end = call.ends.getFirst();
        var tool = TortureClient.toolOf(label);
        if (end.startsWith("SUCCESS ") && isOwn(tool, label, end)) {
            verdict.count(Counted.SUCCEEDED);
        } else if (tool.equals(TortureServer.CHARGE) && end.contains(INTERRUPTED)) {
            verdict.count(Counted.INTERRUPTED);
        } else if (tool.equals(TortureServer.JOB) && end.contains(JOB_ELSEWHERE) && !absences.isEmpty()) {
            verdict.count(Counted.INTERRUPTED);
        } else if (tool.equals(TortureServer.JOB) && end.contains(NOT_STARTED) && !ran) {
            verdict.count(Counted.NOT_STARTED);
        } else if (isRefused(end) && !call.acknowledged) {
            verdict.count(Counted.REFUSED);
        } else if (end.startsWith("OUTCOME_UNKNOWN ")) {
            verdict.count(Counted.UNKNOWN);
        } else {
            verdict.found(end.startsWith("LOST ") ? Broken.LOST : Broken.WRONG, label + ": " + end);
        }
    }

    /**
     * Whether the server said that it could not store a call. Then it must not have acknowledged the call before. The
     * server itself does not know whether the call is stored.
     */
    private static boolean isRefused(@Nullable Told call) {
        return call != null && !call.ends.isEmpty() && isRefused(call.ends.getFirst());
    }

    private static boolean isRefused(String end) {
        return end.contains("The server's disk is full") || end.contains("The server's storage failed");
    }

    private static boolean isOwn(String tool, String label, String text) {
        return text.contains(TortureServer.result(tool, label) + "\"");
    }

    /** Judges the ledger: a step may run again only while its result is not recorded; a charge must never run again. */
    private void judgeLedger(List<String> ledger) {
        Set<String> charged = new HashSet<>();
        Map<String, Set<String>> recorded = new HashMap<>();
        for (var line : ledger) {
            var words = line.split(" ", 3);
            switch (words[0]) {
                case TortureServer.CHARGE, TortureServer.JOB -> {
                    if (!charged.add(words[1])) {
                        verdict.found(Broken.RAN_TWICE, line);
                    }
                    if (!calls.containsKey(words[1])) {
                        verdict.found(Broken.FORGOTTEN, line);
                    }
                }
                case "doing" -> judgeStep(line, words[2], recorded.getOrDefault(words[1], Set.of()));
                default ->
                    recorded.computeIfAbsent(words[1], step -> new HashSet<>()).add(words[2]);
            }
        }
    }

    /** Judges a repeated step. A node that was paused before a step cannot know that another one runs it. */
    private void judgeStep(String line, String node, Set<String> recordedAt) {
        if (!recordedAt.isEmpty()) {
            boolean wasPaused = absences.stream()
                    .anyMatch(absence -> absence.resumes() && absence.node().equals(node));
            if (wasPaused && !recordedAt.contains(node)) {
                verdict.count(Counted.REPEATED);
            } else {
                verdict.found(Broken.RAN_TWICE, line);
            }
        }
    }

    private void judgeStored(List<Stored> stored) {
        Map<String, Stored> byLabel = new HashMap<>();
        for (var one : stored) {
            if (byLabel.put(one.label(), one) != null) {
                verdict.found(Broken.RAN_TWICE, one.label() + " has two tasks");
            }
            judgeRecord(one);
        }
        calls.forEach((label, told) -> {
            var kept = byLabel.get(label);
            if (told.acknowledged && kept == null) {
                verdict.found(Broken.LOST, label + " is not stored");
            }
            if (kept != null && !told.ends.isEmpty() && !isRefused(told)) {
                judgeOutcome(label, told.ends.getFirst(), kept.task());
            }
        });
    }

    private void judgeRecord(Stored one) {
        boolean ended = false;
        long before = 0;
        int attempt = 0;
        for (var event : one.events()) {
            attempt = event.what() instanceof EventDetail.Started(int started) ? started : attempt;
            if (event.seq() != before + 1
                    || ended && !(event.what() instanceof EventDetail.WorkEnded)
                    || isOfAnother(attempt, event.what())) {
                verdict.found(Broken.STALE_WRITE, one.label() + ": " + event);
            }
            before = event.seq();
            ended |= event.what() instanceof EventDetail.Ended;
        }
        boolean waits = !one.task().outstanding().isEmpty();
        if (waits && !asked.contains(one.label()) && !isRefused(calls.get(one.label()))) {
            verdict.found(Broken.QUESTION, one.label());
        }
    }

    /** Whether an older attempt, whose task another node has by now, wrote this event. */
    private static boolean isOfAnother(int attempt, EventDetail what) {
        var written = switch (what) {
            case EventDetail.Emitted(var output) -> output.text();
            case EventDetail.StepDone(var step, var result) -> result.text();
            default -> "";
        };
        var by = TortureServer.BY.matcher(written);
        return by.find() && Integer.parseInt(by.group(1)) != attempt;
    }

    private void judgeAbsences() {
        var taken = absences.stream()
                .flatMap(absence -> absence.taken().stream())
                .sorted()
                .toList();
        taken.forEach(time -> verdict.count(Counted.TAKEN_OVER));
        if (!taken.isEmpty()) {
            var slow = taken.get((taken.size() * 99 - 1) / 100);
            verdict.add(String.format(
                    "           after %.1f s at p50, %.1f s at p99, %.1f s at most",
                    seconds(taken.get(taken.size() / 2)), seconds(slow), seconds(taken.getLast())));
            if (slow.compareTo(IN_TIME) > 0) {
                verdict.found(Broken.LATE, slow.toMillis() + " ms at p99");
            }
        }
        absences.forEach(absence -> absence.left().forEach(label -> verdict.found(Broken.LATE, label)));
    }

    private static double seconds(Duration time) {
        return time.toMillis() / 1000.0;
    }

    private void judgeOutcome(String label, String told, Task task) {
        var ending = task.ending();
        if (ending == null) {
            verdict.found(Broken.CHANGED, label + " was told as ended, and runs");
        } else if (told.startsWith("SUCCESS ")
                && !(ending.outcome() instanceof Outcome.Result(var body, boolean isError)
                        && !isError
                        && isOwn(TortureClient.toolOf(label), label, body.text()))) {
            verdict.found(Broken.CHANGED, label + ": told " + told + ", stored " + ending.outcome());
        }
    }
}
