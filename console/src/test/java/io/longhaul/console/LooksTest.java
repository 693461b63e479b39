package io.longhaul.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.longhaul.engine.task.Owner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How the pages look, to a program that knows the rules of accessibility and to people. */
@Timeout(180)
class LooksTest {

    private static final String PICTURES = "longhaul.pictures";
    private static final int MOST_BYTES = 150_000;

    private static Chromium chromium;

    @AutoClose
    private final ConsoleServer served = new ConsoleServer();

    @BeforeAll
    static void start() {
        chromium = Chromium.start();
    }

    @AfterAll
    static void stop() {
        if (chromium != null) {
            chromium.close();
        }
    }

    /** A page for each, and the task that is at work. */
    private List<String> places(String running, String asking) {
        return List.of("#/tasks", "#/tasks/" + running, "#/tasks/" + asking, "#/tools/deploy", "#/figures");
    }

    @ParameterizedTest
    @EnumSource(names = {"LIGHT", "DARK"})
    void no_page_breaks_a_rule_of_accessibility(ColorScheme scheme) throws IOException {
        var running = served.start("import_orders");
        var asking = served.start("survey");
        served.start("picture");
        served.start("broken");
        served.steps.release(2);
        // The rules are a script of their own, which the policy of the pages would not let in.
        var options = new NewContextOptions().setColorScheme(scheme).setBypassCSP(true);
        try (var context = chromium.context(options)) {
            var page = context.newPage();
            page.navigate(served.link().toString());
            for (var place : places(running, asking)) {
                page.navigate(served.page() + place);
                assertThat(page.locator("h1")).not().hasText("Task");
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

    /** Run it with {@code -Dlonghaul.pictures=docs/images}: a build changes no file of the sources. */
    @Test
    @EnabledIfSystemProperty(named = PICTURES, matches = ".+")
    void each_page_has_its_picture_in_the_docs() throws IOException {
        var folder = Files.createDirectories(Path.of(System.getProperty(PICTURES)));
        try (var context = chromium.context(
                new NewContextOptions().setViewportSize(1100, 780).setColorScheme(ColorScheme.LIGHT))) {
            var page = context.newPage();
            page.navigate(served.link().toString());
            for (int second = 0; second < 40; second++) {
                for (int call = 0; call < 2 + second * 7 % 5; call++) {
                    served.start(call % 5 == 4 ? "broken" : "picture");
                }
                page.waitForTimeout(500);
            }
            served.start(new Owner("alice"), "picture", Map.of());
            var arguments = Map.of("service", "shop", "regions", List.of("eu", "us"));
            served.start(new Owner("bob"), "deploy", arguments);
            served.start("broken");
            var asking = served.start("survey");
            var running = served.start("import_orders");
            for (int step = 0; step < 3; step++) {
                page.waitForTimeout(900);
                served.steps.release();
            }
            page.waitForTimeout(2_500);
            picture(page, "#/tasks", folder.resolve("console-tasks.png"));
            picture(page, "#/tasks/" + running, folder.resolve("console-task.png"));
            picture(page, "#/tasks/" + asking, folder.resolve("console-question.png"));
            picture(page, "#/tools/deploy", folder.resolve("console-tools.png"));
            picture(page, "#/figures", folder.resolve("console-figures.png"));
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
            picture(page, "#/tasks/" + running, folder.resolve("console-dark.png"));
        }
    }

    private void picture(Page page, String place, Path file) throws IOException {
        page.navigate(served.page() + place);
        assertThat(page.locator("h1")).not().hasText("Task");
        page.waitForTimeout(600);
        page.screenshot(new Page.ScreenshotOptions().setPath(file));
        assertThat(Files.size(file)).isLessThan(MOST_BYTES);
    }
}
