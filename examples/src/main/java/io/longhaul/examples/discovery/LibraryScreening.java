// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.discovery;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.examples.discovery.Molecule.Properties;
import io.longhaul.examples.discovery.PanelSearch.Panel;
import io.longhaul.server.TaskContext;
import io.longhaul.server.Tool;
import io.longhaul.server.ToolException;
import io.longhaul.server.annotation.McpParam;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Screens a library of molecules: reads the structures, keeps those that pass Lipinski's rule of five, ranks them by
 * their similarity to a lead, groups them, and searches for a panel for the laboratory. Each batch of molecules, and
 * all panels with the same first molecule, are a step, so that hours of work go on after the last recorded step.
 */
public final class LibraryScreening {

    private static final int BATCH = 8;
    private static final double OF_ONE_GROUP = 0.5;

    private LibraryScreening() {}

    record Request(
            @McpParam(description = "A file with a SMILES, a name and a formula in each line")
            String library,

            @McpParam(description = "The name of a molecule of the library")
            String lead,

            @McpParam(
                    description = "How many molecules the panel has; each more takes about ten times as long",
                    minimum = 1,
                    maximum = 10,
                    defaultValue = "8")
            int panel) {}

    record Batch(List<Molecule> molecules) {}

    record Ranked(String name, String formula, Properties properties, double similarity) {}

    record Chosen(List<String> members, double score) {}

    record Screened(
            int molecules,
            int druglike,
            List<String> unreadable,
            List<Ranked> best,
            List<List<String>> groups,
            Chosen panel) {}

    public static List<Tool> tools() {
        return List.of(Tool.define("screen_library")
                .description("Ranks the molecules of a library by their similarity to a lead, and proposes a panel.")
                .input(Request.class)
                .output(Screened.class)
                .longRunning(t -> t.onCrash(CrashPolicy.RESTART))
                .handler(LibraryScreening::screened));
    }

    private static Screened screened(Request request, TaskContext task) throws Exception {
        var lines = lines(Path.of(request.library()));
        int parts = (lines.size() + BATCH - 1) / BATCH;
        int pieces = parts + lines.size();
        var all = new ArrayList<Molecule>();
        for (int part = 0; part < parts; part++) {
            var batch = lines.subList(part * BATCH, Math.min((part + 1) * BATCH, lines.size()));
            all.addAll(task.step(
                            "batch " + part,
                            Batch.class,
                            () -> new Batch(batch.stream().map(Molecule::of).toList()))
                    .molecules());
            task.progress(part + 1, pieces, all.size() + " molecules read");
        }
        var druglike = all.stream().filter(Molecule::isDruglike).toList();
        var lead = all.stream()
                .filter(one ->
                        one.name().equals(request.lead()) && one.problem().isEmpty())
                .findFirst()
                .orElseThrow(() -> new ToolException("The library has no molecule " + request.lead() + "."));
        var others = druglike.stream().filter(one -> !one.equals(lead)).toList();
        if (others.size() < request.panel()) {
            throw new ToolException("Only " + others.size() + " other molecules of the library are like a drug: give a"
                    + " smaller panel.");
        }
        var best = best(lead, others);
        if (task.partialCount() == 0) {
            task.partial("most like " + lead.name() + ": "
                    + best.stream().map(Ranked::name).collect(Collectors.joining(", ")));
        }
        var search = new PanelSearch(
                request.panel(),
                lead.bits(),
                others.stream().map(Molecule::bits).toList());
        var panel = Panel.NONE;
        for (int first = 0; first < search.beginnings(); first++) {
            int from = first;
            var before = panel;
            panel = task.step("panels from " + first, Panel.class, () -> search.panelsFrom(from, before));
            task.progress(parts + first + 1, pieces, "best panel so far: " + Molecule.rounded(panel.score()));
        }
        return new Screened(
                all.size(),
                druglike.size(),
                all.stream()
                        .filter(one -> !one.problem().isEmpty())
                        .map(one -> one.name() + ": " + one.problem())
                        .toList(),
                best,
                groups(druglike),
                new Chosen(
                        panel.members().stream()
                                .map(member -> others.get(member).name())
                                .toList(),
                        Molecule.rounded(panel.score())));
    }

    private static List<String> lines(Path library) throws IOException {
        if (!Files.isRegularFile(library)) {
            throw new ToolException("There is no file " + library + ".");
        }
        return Files.readAllLines(library).stream()
                .filter(line -> !line.isBlank())
                .toList();
    }

    private static List<Ranked> best(Molecule lead, List<Molecule> others) {
        var bits = lead.bits();
        return others.stream()
                .map(one -> new Ranked(
                        one.name(),
                        one.formula(),
                        one.properties(),
                        Molecule.rounded(Molecule.similarity(bits, one.bits()))))
                .sorted(Comparator.comparingDouble(Ranked::similarity)
                        .reversed()
                        .thenComparing(Ranked::name))
                .limit(10)
                .toList();
    }

    /** The groups: each molecule joins the first group whose first member is similar; groups of one are left out. */
    private static List<List<String>> groups(List<Molecule> molecules) {
        var leaders = new ArrayList<BitSet>();
        var groups = new ArrayList<List<String>>();
        for (var molecule : molecules) {
            var bits = molecule.bits();
            int group = 0;
            while (group < leaders.size() && Molecule.similarity(leaders.get(group), bits) < OF_ONE_GROUP) {
                group++;
            }
            if (group == leaders.size()) {
                leaders.add(bits);
                groups.add(new ArrayList<>());
            }
            groups.get(group).add(molecule.name());
        }
        return groups.stream().filter(group -> group.size() > 1).toList();
    }
}
