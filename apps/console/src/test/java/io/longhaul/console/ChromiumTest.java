// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.longhaul.engine.task.Owner;
import io.longhaul.server.Form;
import io.longhaul.server.TaskContext;
import io.longhaul.server.Tool;
import io.longhaul.server.ToolResult;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a person does in a browser. */
@Timeout(120)
class ChromiumTest extends OnePage {

    @Test
    void the_token_leaves_the_address_and_stays_in_the_tab() {
        assertThat(page.url()).doesNotContain("token");
        page.reload();
        assertThat(heading("Tasks")).isVisible();
        button("Sign out").click();
        assertThat(heading("Sign in")).isVisible();
        assertThat(page.evaluate("sessionStorage.length")).isEqualTo(0);
        troubles.clear();
    }

    @Test
    void a_user_signs_in_with_a_token_of_its_own_and_sees_its_own_tasks() {
        served.start("draw_chart");
        served.start(new Owner("alice"), "release", Map.of());
        assertThat(rows()).hasCount(2);
        button("Sign out").click();
        page.getByLabel("Token").fill("a guess");
        button("Sign in").click();
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("Give a good token");
        page.getByLabel("Token").fill(ConsoleServer.ALICE);
        page.keyboard().press("Enter");
        assertThat(rows()).hasCount(1);
        assertThat(rows()).containsText("release");
        linkTo("Figures").click();
        assertThat(page.locator("main")).containsText("for operators");
        troubles.removeIf(trouble -> trouble.contains("401"));
    }

    @Test
    void tasks_appear_and_change_while_one_looks() {
        assertThat(page.locator(".empty")).containsText("There are no tasks yet. Call a tool");
        served.start("import_orders");
        assertThat(rows()).hasCount(1);
        assertThat(rows()).containsText("Working");
        served.steps.release();
        assertThat(rows()).containsText("25% night 1");
        served.steps.release(4);
        assertThat(rows()).containsText("Completed");
        served.start("release");
        assertThat(rows().first()).containsText("Needs an answer");
    }

    @Test
    void tasks_are_filtered_by_state_tool_and_text_and_the_address_keeps_the_filter() {
        served.start("draw_chart");
        served.start("print_invoices");
        served.start("release");
        assertThat(rows()).hasCount(3);
        page.getByLabel("State").selectOption("cancelled");
        assertThat(rows()).hasCount(0);
        linkTo("Show all tasks").click();
        assertThat(rows()).hasCount(3);
        page.getByLabel("State").selectOption("input_required");
        assertThat(rows()).hasCount(1);
        assertThat(rows()).containsText("release");
        page.getByLabel("State").selectOption("");
        page.getByLabel("Tool").fill("draw_chart");
        page.keyboard().press("Enter");
        assertThat(rows()).hasCount(1);
        page.reload();
        assertThat(page.getByLabel("Tool")).hasValue("draw_chart");
        assertThat(rows()).hasCount(1);
        page.getByLabel("Tool").fill("");
        page.getByLabel("Search").fill("INVO");
        page.keyboard().press("Enter");
        assertThat(rows()).hasCount(1);
        assertThat(page.locator("#said")).containsText("1 task among the 3 looked at");
    }

    @Test
    void many_tasks_are_turned_page_by_page() {
        for (int i = 0; i < 60; i++) {
            served.start("draw_chart");
        }
        assertThat(rows()).hasCount(50);
        button("Older").click();
        assertThat(rows()).hasCount(10);
        assertThat(button("Older")).isDisabled();
        button("Newer").click();
        assertThat(rows()).hasCount(50);
    }

    @Test
    void one_task_shows_its_progress_history_log_and_output_as_they_come() {
        var task = served.start("import_orders");
        show(task);
        assertThat(page.locator(".heading .state")).hasText("Working");
        served.steps.release(2);
        assertThat(page.locator(".progress-text")).hasText("50% night 2");
        assertThat(page.locator("#log")).containsText("read night 2");
        served.steps.release(1);
        assertThat(page.locator("#log")).containsText("one order twice");
        assertThat(page.locator("#log")).containsText("orders of night 3");
        served.steps.release(2);
        assertThat(page.locator(".result")).hasText("4 nights, 1,204 orders");
        assertThat(page.locator("#said")).hasText("import_orders: Completed");
        assertThat(page.getByRole(AriaRole.IMG, new Page.GetByRoleOptions().setName(Pattern.compile("^1 attempt"))))
                .isVisible();
        page.getByText("As a list").click();
        assertThat(page.locator(".events li")).hasText(new Pattern[] {
            Pattern.compile("created$"), Pattern.compile("attempt 1 started$"), Pattern.compile("ended: result$")
        });
    }

    @Test
    void a_task_and_what_it_has_called_lead_to_one_another() {
        served.server()
                .addTool(Tool.define("plan")
                        .longRunning()
                        .handler((none, task) ->
                                task.call("orders", "import_orders", Map.of()).await(String.class)));
        var parent = served.start("plan");
        show(parent);
        page.getByText("As a list").click();
        var called = page.locator(".events li", new Page.LocatorOptions().setHasText("called “orders”"));
        var child = called.locator("a").textContent();
        called.locator("a").click();
        assertThat(heading("import_orders")).isVisible();
        assertThat(page.locator(".facts")).containsText(child);
        page.locator(".facts")
                .getByRole(AriaRole.LINK, new Locator.GetByRoleOptions().setName(parent))
                .click();
        assertThat(heading("plan")).isVisible();
    }

    @Test
    void a_question_is_answered_by_the_keyboard_alone() {
        var task = served.start("release");
        assertThat(rows()).containsText("1 open question");
        page.locator("tbody a").focus();
        page.keyboard().press("Enter");
        assertThat(page.locator(".asked")).hasText("Release build 214 to production?");
        page.getByLabel("Approver").focus();
        page.keyboard().type("Ada");
        page.keyboard().press("Tab");
        page.keyboard().press("Tab");
        page.keyboard().type("250");
        page.keyboard().press("Enter");
        assertThat(page.getByLabel("Percent of traffic")).hasAttribute("aria-invalid", "true");
        assertThat(page.getByLabel("Percent of traffic")).isFocused();
        page.keyboard().press("Control+A");
        page.keyboard().type("25");
        page.keyboard().press("Tab");
        page.keyboard().press("Space");
        page.keyboard().press("Tab");
        page.keyboard().press("ArrowDown");
        page.keyboard().press("Tab");
        page.keyboard().press("Space");
        page.keyboard().press("Enter");
        assertThat(page.locator(".result"))
                .containsText("Released by {\"approver\":\"Ada\",\"percent\":25,\"notify\":false,\"window\":\"am\","
                        + "\"regions\":[\"eu\"]}");
        assertThat(page.url()).contains(task);
    }

    @Test
    void what_the_server_refuses_is_shown_at_its_field_and_the_question_stays_open() {
        show(served.start("release"));
        page.getByLabel("Approver").fill("Ada");
        page.getByLabel("Percent of traffic").fill("5");
        page.getByLabel("Window").selectOption("Evening");
        page.getByLabel("eu").check();
        // A browser that checks less than the server does.
        page.evaluate("() => { const p = HTMLInputElement.prototype; p.checkValidity = () => true; }");
        page.getByLabel("Mail").fill("nobody");
        button("Send answer").click();
        assertThat(page.locator(".question [role=alert], .question .field-error:visible"))
                .containsText("mail");
        assertThat(page.locator(".heading .state")).hasText("Needs an answer");
        page.getByLabel("Mail").fill("ada@example.com");
        button("Send answer").click();
        assertThat(page.locator(".result")).containsText("ada@example.com");
    }

    @Test
    void a_question_is_declined() {
        show(served.start("release"));
        button("Decline").click();
        assertThat(page.locator(".result")).hasText("Not released");
        assertThat(page.locator(".question")).hasCount(0);
    }

    @Test
    void a_question_for_yes_or_no_has_a_button_for_each() {
        var declined = served.start("publish");
        show(declined);
        assertThat(page.locator(".asked")).hasText("Publish the orders?");
        assertThat(page.locator(".question button")).hasText(new String[] {"Approve", "Decline"});
        button("Decline").click();
        assertThat(page.locator(".heading .state")).hasText("Declined");
        assertThat(page).hasTitle("publish – Declined – Longhaul console");
        assertThat(page.locator(".result")).containsText("was declined");
        show(served.start("publish"));
        button("Approve").click();
        assertThat(page.locator(".result")).hasText("Published");
        open("#/tasks");
        page.getByLabel("State").selectOption("Declined");
        assertThat(rows()).hasCount(1);
        assertThat(rows()).containsText("Declined");
        page.getByLabel("State").selectOption("Completed");
        assertThat(rows()).hasCount(1);
        assertThat(rows()).containsText("Completed");
    }

    @Test
    void the_title_tells_of_an_error_of_the_tool_as_the_page_does() {
        show(served.start("print_invoices"));
        assertThat(page.locator(".heading .state")).hasText("Failed (tool)");
        assertThat(page).hasTitle("print_invoices – Failed (tool) – Longhaul console");
    }

    @Test
    void a_task_is_cancelled_retried_and_purged() {
        var task = served.start("import_orders");
        show(task);
        button("Cancel").click();
        confirm("Keep as it is");
        assertThat(page.locator(".heading .state")).hasText("Working");
        button("Cancel").click();
        confirm("Cancel the task");
        assertThat(page.locator(".heading .state")).hasText("Cancelled");
        button("Retry").click();
        assertThat(page.locator(".heading .state")).hasText("Working");
        assertThat(page.url()).doesNotContain(task);
        served.steps.release(10);
        assertThat(page.locator(".heading .state")).hasText("Completed");
        button("Purge").click();
        confirm("Purge");
        assertThat(heading("Tasks")).isVisible();
        assertThat(rows()).hasCount(1);
        button("Purge ended tasks…").click();
        confirm("Purge");
        assertThat(rows()).hasCount(0);
    }

    @Test
    void an_operator_reads_and_cancels_the_task_of_another_and_neither_answers_nor_removes_it() {
        show(served.start(new Owner("alice"), "release", Map.of()));
        assertThat(page.locator(".question")).containsText("Only alice can answer: Release build 214");
        button("Cancel").click();
        confirm("Cancel the task");
        assertThat(page.locator(".heading .state")).hasText("Cancelled");
        assertThat(button("Retry")).hasCount(0);
        assertThat(button("Purge")).hasCount(0);
    }

    @Test
    void a_tool_is_called_by_its_form_and_answers_at_once() {
        linkTo("Tools").click();
        page.locator(".tool-list a", new Page.LocatorOptions().setHasText("echo"))
                .click();
        button("Call").click();
        assertThat(page.locator(".field-error")).hasText("Give a value");
        page.getByLabel("text").fill("Grüße");
        button("Call").click();
        assertThat(page.locator(".result")).hasText("Grüße");
    }

    @Test
    void a_call_that_becomes_a_task_leads_to_the_task_and_its_arguments_are_of_their_types() {
        open("#/tools/deploy");
        page.getByLabel("service").fill("shop");
        page.getByLabel("us").check();
        page.getByLabel("asia").check();
        page.getByLabel("port").fill("8080");
        page.getByLabel("labels").fill("[{\"team\": \"a\"}]");
        button("Call").click();
        assertThat(page.locator("h1")).hasText("deploy");
        assertThat(page.locator(".result")).containsText("Deployed");
        assertThat(page.locator(".result .json").textContent().replaceAll("\\s", ""))
                .isEqualTo("{\"service\":\"shop\",\"regions\":[\"us\",\"asia\"],\"replicas\":3,"
                        + "\"health\":{\"port\":8080},\"labels\":[{\"team\":\"a\"}]}");
    }

    @Test
    void a_quick_tool_that_asks_is_answered_by_a_form_below_its_own() {
        open("#/tools/greet");
        button("Call").click();
        assertThat(page.locator(".asked")).hasText("Who are you?");
        page.getByLabel("Name").fill("Ada");
        page.keyboard().press("Enter");
        assertThat(page.locator(".result")).hasText("Hello, Ada");
    }

    @Test
    void a_tool_that_may_destroy_is_called_after_a_second_word() {
        open("#/tools/clean_up");
        button("Call").click();
        confirm("Keep as it is");
        assertThat(page.locator(".result")).hasCount(0);
        button("Call").click();
        confirm("Call");
        assertThat(page.locator(".result")).hasText("All gone");
    }

    @Test
    void a_person_answers_in_place_of_a_model() throws Exception {
        show(served.startAsClient("sum_up"));
        assertThat(page.locator(".question")).containsText("How was the week?");
        page.getByLabel("Answer in place of the model").fill("Calm");
        button("Send answer").click();
        assertThat(page.locator(".result")).hasText("Calm");
    }

    @Test
    void a_question_that_is_answered_elsewhere_has_its_link() throws Exception {
        show(served.startAsClient("pay"));
        assertThat(page.locator(".asked")).hasText("Pay it there");
        assertThat(linkTo("https://bank.example.com/7")).hasAttribute("href", "https://bank.example.com/7");
        button("It is done").click();
        assertThat(page.locator(".result")).hasText("The bank says: ACCEPT");
    }

    @Test
    void text_json_pictures_and_links_of_a_result_are_shown_as_what_they_are() {
        show(served.start("draw_chart"));
        assertThat(page.locator(".result .json")).containsText("\"rows\": 3");
        assertThat((Boolean) page.locator(".result img").evaluate("img => img.complete && img.naturalWidth > 0"))
                .isTrue();
        assertThat(linkTo("https://example.com/report")).hasAttribute("rel", "noopener noreferrer");
        assertThat(linkTo("https://example.com/report")).hasAttribute("href", "https://example.com/report");
    }

    @Test
    void hostile_output_is_text_and_runs_nothing() {
        var task = served.start("hostile");
        assertThat(rows()).containsText("hostile");
        show(task);
        assertThat(page.locator(".result")).containsText("window.hacked=1");
        assertThat(page.locator("#log")).containsText(ConsoleServer.HOSTILE);
        assertThat(page.locator(".result script, .result img, .log img, .result a[href^='javascript']"))
                .hasCount(0);
        assertThat(page.locator("#log")).containsText("red ␛[31m turned ⟨U+202E⟩ end");
        assertThat(page.locator("#log")).containsText("… (20,000 characters)");
        assertThat(button("Save image")).isVisible();
        open("#/tools/hostile");
        assertThat(page.locator(".description")).hasText(ConsoleServer.HOSTILE);
        assertThat(page.evaluate("window.hacked")).isNull();
    }

    @Test
    void a_giant_result_is_shown_in_part_and_saved_whole() throws IOException {
        show(served.start("giant"));
        assertThat(page.locator(".result")).containsText("The first 100,000 of 1,500,000 characters");
        assertThat(page.locator(".result pre").textContent()).hasSize(100_000);
        var saved = page.waitForDownload(() -> button("Save all of it").click());
        assertThat(saved.path()).hasSize(ConsoleServer.GIANT);
    }

    @Test
    void the_policy_of_the_page_refuses_markup_out_of_text() {
        var refused = page.evaluate(
                "() => { try { document.body.innerHTML = '<p>x'; return 'taken'; } catch (e) { return e.name; } }");
        assertThat(refused).isEqualTo("TypeError");
        troubles.clear();
    }

    @Test
    void figures_show_what_the_server_has_done() {
        served.start("draw_chart");
        served.start("release");
        linkTo("Figures").click();
        assertThat(page.locator(".tiles")).containsText("Open questions1");
        assertThat(page.locator(".plots .chart svg")).hasCount(5);
        assertThat(page.locator(".legend").first()).containsText("declined");
        var row = page.getByRole(AriaRole.ROW, new Page.GetByRoleOptions().setName(Pattern.compile("release")));
        assertThat(row).containsText("release0011");
    }

    @Test
    void the_theme_is_that_of_the_system_until_one_is_chosen() {
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
        var ground = "() => getComputedStyle(document.documentElement).backgroundColor";
        var dark = page.evaluate(ground);
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
        var light = page.evaluate(ground);
        assertThat(light).isNotEqualTo(dark);
        button("Theme: system").click();
        button("Theme: light").click();
        assertThat(page.evaluate(ground)).isEqualTo(dark);
        page.reload();
        assertThat(button("Theme: dark")).isVisible();
        assertThat(page.evaluate(ground)).isEqualTo(dark);
    }

    @ParameterizedTest
    @ValueSource(ints = {390, 1400})
    void a_word_of_300_letters_widens_no_page(int width) {
        var word = "w".repeat(300);
        served.server()
                .addTool(Tool.define("wordy")
                        .title(word)
                        .description(word)
                        .inputSchema("""
                            {"type":"object","required":["a"],"properties":{
                              "a":{"type":"string","title":"%1$s","description":"%1$s"},
                              "b":{"type":"boolean","title":"%1$s","default":true},
                              "c":{"enum":["%1$s","x"],"title":"%1$s"},
                              "d":{"type":"array","title":"%1$s","items":{"type":"string","enum":["%1$s"]}},
                              "e":{"type":"object","title":"%1$s","properties":{"f":{"type":"integer"}}}}}
                            """.formatted(word))
                        .longRunning()
                        .handler((none, task) -> wordy(task, word)));
        page.setViewportSize(width, 800);
        var asking = served.start(new Owner("local"), "wordy", Map.of("a", word));
        show(asking);
        assertThat(page.locator(".asked")).isVisible();
        narrow(asking, width);
        page.getByLabel(word).first().fill(word);
        button("Send answer").click();
        assertThat(page.locator(".result")).isVisible();
        page.locator("details summary").first().click();
        narrow(asking, width);
        for (var place : List.of("#/tasks", "#/figures", "#/tools", "#/tools/wordy")) {
            open(place);
            narrow(place, width);
        }
        page.locator("input[name=a]").fill("\u202e" + word);
        narrow("a value that is marked", width);
    }

    private static ToolResult wordy(TaskContext task, String word) throws Exception {
        task.status(word);
        task.progress(1, 2, word);
        task.log("info", word);
        task.partial(word);
        task.step(word, String.class, () -> word);
        var question = Form.of(word)
                .string("a", field -> field.title(word).description(word))
                .bool("b", field -> field.title(word).defaultValue(true))
                .singleSelect("c", field -> field.title(word).option("x", word).optional())
                .request();
        task.elicit(question);
        return ToolResult.error(word)
                .andResourceLink("https://example.com/" + word, word, "text/html")
                .withStructuredContent(Map.of(word, word));
    }

    private void narrow(String what, int width) {
        assertThat(page.evaluate("() => document.documentElement.scrollWidth"))
                .as(what)
                .isEqualTo(width);
    }

    @ParameterizedTest
    @ValueSource(ints = {390, 800, 1400})
    void nothing_is_wider_than_the_screen_or_cut(int width) {
        served.startAsClient("release");
        page.setViewportSize(width, 800);
        var running = served.start("import_orders");
        for (var place : List.of("#/tasks", "#/tools/deploy", "#/messages", "#/figures", "#/tasks/" + running)) {
            open(place);
            narrow(place, width);
            assertThat((List<?>) page.evaluate("""
                () => [...document.querySelectorAll('main *')].filter(e => {
                  const own = e.getBoundingClientRect();
                  const box = (e.closest('.chart') ?? e.closest('main')).getBoundingClientRect();
                  return own.width > 0 && (own.right > box.right + 1 || own.left < box.left - 1);
                }).map(e => e.outerHTML)\
                """)).as(place).isEmpty();
        }
    }
}
