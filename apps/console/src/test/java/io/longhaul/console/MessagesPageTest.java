// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.ColorScheme;
import io.longhaul.testkit.talk.Messages;
import io.longhaul.testkit.talk.StatelessClient;
import io.longhaul.testkit.talk.WebRequests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages of clients, and what the server offers beside its tools, as a developer sees them. */
@Timeout(120)
class MessagesPageTest extends OnePage {

    private static final String DEPLOY = "{\"service\":\"web\",\"regions\":[\"eu\"],\"replicas\":5}";

    /** Calls a tool as a client of 2026-07-28 with tasks. */
    private String deployed() {
        var requests = WebRequests.to(served.page().resolve("mcp")).with("Authorization", "Bearer " + served.token());
        var tasks = "{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}";
        return new StatelessClient<>(requests, tasks)
                .ask("tools/call", Messages.call("deploy", DEPLOY))
                .path("result")
                .path("taskId")
                .asString();
    }

    private Locator messages() {
        return page.locator(".messages li:visible");
    }

    private Locator button(Locator in, String name) {
        return in.getByText(name, new Locator.GetByTextOptions().setExact(true));
    }

    @Test
    void messages_appear_in_both_directions_and_are_filtered_by_client_tool_and_task() {
        linkTo("Messages").click();
        assertThat(page.getByText("No message yet.")).isVisible();
        var task = deployed();
        assertThat(messages()).hasCount(2);
        assertThat(messages().first()).containsText("result of tools/call deploy");
        assertThat(messages().last()).containsText("tools/call deploy");
        page.getByLabel("Tool").fill("echo");
        assertThat(messages()).hasCount(0);
        page.getByLabel("Tool").fill("DEPL");
        assertThat(messages()).hasCount(2);
        page.getByLabel("Task").fill(task);
        assertThat(messages()).hasCount(2);
        page.getByLabel("Client").fill("nobody");
        assertThat(messages()).hasCount(0);
        page.reload();
        assertThat(page.getByLabel("Client")).hasValue("nobody");
        page.getByLabel("Client").fill("");
        assertThat(messages()).hasCount(2);
    }

    @Test
    void a_call_is_made_again_with_changes_by_keyboard_alone() {
        deployed();
        open("#/messages");
        messages().last().locator("summary").focus();
        page.keyboard().press("Enter");
        assertThat(messages().last().locator("pre")).containsText("\"service\": \"web\"");
        page.keyboard().press("Tab");
        page.keyboard().press("Tab");
        page.keyboard().press("Tab");
        page.keyboard().press("Enter");
        assertThat(page.getByLabel("service")).hasValue("web");
        assertThat(page.getByLabel("eu")).isChecked();
        assertThat(page.getByLabel("asia")).not().isChecked();
        assertThat(page.getByLabel("replicas")).hasValue("5");
        page.getByLabel("service").fill("api");
        page.keyboard().press("Enter");
        assertThat(heading("deploy")).isVisible();
        assertThat(page.locator("pre.json").last()).containsText("\"service\": \"api\"");
        assertThat(page.locator("pre.json").last()).not().containsText("canary");
    }

    @Test
    void the_page_of_a_task_has_its_messages_and_its_arguments_for_another_call() {
        served.startAsClient("release");
        var task = deployed();
        show(task);
        assertThat(messages()).hasCount(2);
        assertThat(messages().last()).containsText("tools/call deploy");
        button("Call again with changes…").click();
        assertThat(page.getByLabel("service")).hasValue("web");
        page.reload();
        assertThat(page.getByLabel("service")).hasValue("");
    }

    @Test
    void callers_without_the_rights_of_an_operator_see_no_messages() {
        deployed();
        button("Sign out").click();
        page.getByLabel("Token").fill(ConsoleServer.ALICE);
        page.keyboard().press("Enter");
        assertThat(heading("Tasks")).isVisible();
        assertThat(page.locator("#live")).hasText("live");
        assertThat(linkTo("Messages")).isHidden();
        page.navigate(link().resolve("#/messages").toString());
        assertThat(page.getByText("Messages are for operators")).isVisible();
        assertThat(messages()).hasCount(0);
    }

    @Test
    void a_resource_is_read_and_one_of_a_template_by_its_fields() {
        linkTo("Resources").click();
        linkTo("The week What the week has brought.").click();
        button("Read").click();
        assertThat(page.locator("#outcome")).containsText("It was a good week.");
        page.locator(".tool-list a").last().click();
        button("Read").click();
        assertThat(page.locator(".field-error:visible")).hasText("Give a value");
        page.getByLabel("region").fill("north & south");
        page.getByLabel("night").fill("3");
        button("Read").click();
        assertThat(page.locator("#outcome pre")).hasText("Orders of orders://north%20%26%20south/night?night=3");
        page.getByLabel("night").fill("");
        button("Read").click();
        assertThat(page.locator("#outcome pre")).hasText("Orders of orders://north%20%26%20south/night");
    }

    @Test
    void a_prompt_is_got_with_its_arguments() {
        linkTo("Prompts").click();
        linkTo("review Asks for a review of a release.").click();
        page.getByLabel("release").fill("214");
        button("Get").click();
        assertThat(page.locator("#outcome h3")).hasText("user");
        assertThat(page.locator("#outcome pre")).hasText("Review {release=214}");
    }

    /** With {@code -Dlonghaul.looks=FOLDER}, a picture of each page is left there. */
    @ParameterizedTest
    @CsvSource({"390, LIGHT", "390, DARK", "800, LIGHT", "800, DARK", "1400, LIGHT", "1400, DARK"})
    void nothing_is_cut_at_any_width(int width, ColorScheme scheme) throws IOException {
        var task = deployed();
        var options = new NewContextOptions().setViewportSize(width, 800).setColorScheme(scheme);
        try (var other = chromium.context(options)) {
            var wide = other.newPage();
            watch(wide);
            wide.navigate(link().toString());
            for (var place : List.of("tasks/" + task, "messages", "resources", "prompts/review", "tools/deploy")) {
                Places.open(wide, link(), "#/" + place);
                var first = wide.locator(".messages summary:visible");
                if (first.count() > 0) {
                    first.last().click();
                    assertThat(wide.locator(".messages pre").last()).isVisible();
                }
                assertThat((Boolean) wide.evaluate("() => document.documentElement.scrollWidth <= innerWidth"
                                + " && [...document.querySelectorAll('nav a, button, input, summary')]"
                                + ".filter(e => e.checkVisibility() && !e.closest('.scroll'))"
                                + ".every(e => e.getBoundingClientRect().right <= innerWidth)"))
                        .as("%s at %s", place, width)
                        .isTrue();
                picture(wide, "%s-%d-%s.png".formatted(place.replaceAll("/.*", ""), width, scheme));
            }
        }
    }

    private static void picture(com.microsoft.playwright.Page page, String name) throws IOException {
        var folder = System.getProperty("longhaul.looks");
        if (folder != null) {
            Files.write(Files.createDirectories(Path.of(folder)).resolve(name), page.screenshot());
        }
    }
}
