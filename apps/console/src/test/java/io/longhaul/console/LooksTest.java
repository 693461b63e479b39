// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.longhaul.engine.task.Owner;
import io.longhaul.server.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Phaser;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How the pages look, to a program that knows the rules of accessibility and to people. */
@Timeout(180)
class LooksTest extends InChromium {

    private static final String PICTURES = "longhaul.pictures";
    private static final int MOST_BYTES = 150_000;

    private final Phaser turns = new Phaser(1);

    /** A page for each, and the task that is at work. */
    private List<String> places(String running, String asking) {
        return List.of(
                "#/tasks",
                "#/tasks/" + running,
                "#/tasks/" + asking,
                "#/tools/deploy",
                "#/resources/report%3A%2F%2Fweekly",
                "#/prompts/review",
                "#/messages",
                "#/figures");
    }

    @ParameterizedTest
    @EnumSource(names = {"LIGHT", "DARK"})
    void no_page_breaks_a_rule_of_accessibility(ColorScheme scheme) throws IOException {
        var running = served.start("import_orders");
        var asking = served.startAsClient("release");
        served.start("draw_chart");
        served.start("print_invoices");
        served.steps.release(2);
        // The rules are a script of their own, which the policy of the pages would not let in.
        var options = new NewContextOptions().setColorScheme(scheme).setBypassCSP(true);
        try (var context = chromium.context(options)) {
            var page = context.newPage();
            page.navigate(served.link().toString());
            for (var place : places(running, asking)) {
                Places.open(page, served.page(), place);
                assertThat(page.locator("main .problem")).hasCount(0);
                page.evaluate(axe());
                assertThat((List<?>) page.evaluate("async () => (await axe.run()).violations.flatMap(v =>"
                                + " v.nodes.map(n => v.id + ': ' + n.html + ' ' + n.failureSummary))"))
                        .as(place)
                        .isEmpty();
            }
        }
    }

    private static String axe() throws IOException {
        try (var in = Objects.requireNonNull(LooksTest.class.getResourceAsStream("/axe.min.js"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Run it with {@code -Dlonghaul.pictures=FOLDER}: a build changes no file of the sources. */
    @Test
    @EnabledIfSystemProperty(named = PICTURES, matches = ".+")
    void each_page_has_its_picture_in_the_docs() throws IOException {
        var folder = Files.createDirectories(Path.of(System.getProperty(PICTURES)));
        var options = new NewContextOptions().setViewportSize(1100, 780).setColorScheme(ColorScheme.LIGHT);
        try (var context = chromium.context(options)) {
            var page = context.newPage();
            page.navigate(served.link().toString());
            toolsThatTakeTime();
            muchWork(page);
            picture(page, "#/figures", folder.resolve("console-figures.png"));
            var running = workOfManyKinds(page);
            var asking = served.start("release");
            page.waitForTimeout(1_500);
            picture(page, "#/tasks", folder.resolve("console-tasks.png"));
            picture(page, "#/tasks/" + running, folder.resolve("console-task.png"));
            picture(page, "#/tasks/" + asking, folder.resolve("console-question.png"));
            picture(page, "#/tools/deploy", folder.resolve("console-tools.png"));
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
            picture(page, "#/tasks/" + running, folder.resolve("console-dark.png"));
            page.setViewportSize(400, 780);
            picture(page, "#/tasks", folder.resolve("console-narrow.png"));
        }
    }

    private void toolsThatTakeTime() {
        served.server().removeTool("hostile");
        served.server().removeTool("giant");
        served.server().addTool(slow("resize_images", "Resizes the pictures of a product.", 2));
        served.server().addTool(slow("send_newsletter", "Sends the newsletter to all who want it.", 6));
    }

    /** Takes some turns of {@link #turn}. */
    private Tool slow(String name, String description, int most) {
        return Tool.define(name).description(description).longRunning().handler((none, task) -> {
            int last = turns.getPhase() + ThreadLocalRandom.current().nextInt(1, most + 1);
            for (int phase = turns.getPhase(); phase < last; ) {
                phase = turns.awaitAdvanceInterruptibly(phase);
            }
            return "done";
        });
    }

    private void turn(Page page) {
        page.waitForTimeout(ThreadLocalRandom.current().nextInt(200, 700));
        turns.arrive();
    }

    private void muchWork(Page page) {
        var owners = List.of("local", "alice", "bob");
        for (int turn = 0; turn < 60; turn++) {
            for (int call = 0; call < 1 + turn * 7 % 4; call++) {
                served.start(new Owner(owners.get((turn + call) % 3)), "resize_images", Map.of());
            }
            if (turn % 3 == 0) {
                served.start(new Owner(owners.get(turn / 3 % 3)), "send_newsletter", Map.of());
            }
            if (turn % 13 == 11) {
                served.start("print_invoices");
                served.start("draw_chart");
            }
            turn(page);
        }
    }

    /** Gives the task that is still at work. */
    private String workOfManyKinds(Page page) {
        var running = served.start("import_orders");
        for (var tool : List.of("resize_images", "draw_chart", "print_invoices", "send_newsletter")) {
            served.start(tool);
            for (int turn = 0; turn < 4; turn++) {
                turn(page);
            }
            served.steps.release(tool.equals("resize_images") ? 0 : 1);
        }
        served.start(new Owner("bob"), "deploy", Map.of("service", "shop", "regions", List.of("eu", "us")));
        served.start(new Owner("alice"), "resize_images", Map.of());
        return running;
    }

    private void picture(Page page, String place, Path file) throws IOException {
        Places.open(page, served.page(), place);
        page.waitForTimeout(600);
        page.screenshot(new Page.ScreenshotOptions().setPath(file));
        assertThat(Files.size(file)).isLessThan(MOST_BYTES);
    }
}
