// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import io.longhaul.server.Tool;
import java.util.ArrayList;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The page of a task whose tool says strange things, or much, and whose reader moves on. */
@Timeout(120)
class TaskPageTest extends OnePage {

    @Test
    void output_that_only_looks_like_content_is_shown_as_it_is() {
        served.server()
                .addTool(Tool.define("odd").description("d").longRunning().handler((none, task) -> {
                    task.partial(Map.of("type", "text"));
                    return "done";
                }));
        show(served.start("odd"));
        assertThat(page.locator("#log")).containsText("{\"type\":\"text\"}");
        assertThat(page.locator(".events")).containsText("ended: result");
    }

    @Test
    void the_newest_of_many_events_are_listed() {
        served.server()
                .addTool(Tool.define("many").description("d").longRunning().handler((none, task) -> {
                    for (int i = 0; i < 600; i++) {
                        task.step("s" + i, Integer.class, () -> 1);
                    }
                    return "done";
                }));
        show(served.start("many"));
        assertThat(page.locator(".events")).containsText("ended: result");
        assertThat(page.locator(".events li")).hasCount(500);
        page.getByText("As a list").click();
        assertThat(page.getByText("The newest 500 are listed.")).isVisible();
    }

    @Test
    void a_task_that_tells_of_its_status_is_not_asked_for_each_time() {
        served.server()
                .addTool(Tool.define("chatty").description("d").longRunning().handler((none, task) -> {
                    for (int i = 1; i <= 3; i++) {
                        served.steps.acquire();
                        task.status("status " + i);
                    }
                    served.steps.acquire();
                    return "done";
                }));
        var gets = new ArrayList<String>();
        page.onRequest(request -> {
            if (request.postData() != null && request.postData().contains("\"io.longhaul/tasks/get\"")) {
                gets.add(request.url());
            }
        });
        show(served.start("chatty"));
        assertThat(page.locator(".events")).containsText("attempt 1 started");
        served.steps.release();
        assertThat(page.locator(".events")).containsText("status 1");
        int before = gets.size();
        served.steps.release();
        assertThat(page.locator(".events")).containsText("status 2");
        served.steps.release();
        assertThat(page.locator(".events")).containsText("status 3");
        assertThat(gets).hasSize(before);
    }

    @Test
    void a_dialog_goes_with_its_page() {
        show(served.start("import_orders"));
        button("Cancel").click();
        assertThat(page.getByRole(AriaRole.DIALOG)).isVisible();
        page.goBack();
        assertThat(heading("Tasks")).isVisible();
        assertThat(page.getByRole(AriaRole.DIALOG)).hasCount(0);
        assertThat(rows()).containsText("Working");
    }

    @Test
    void a_retry_that_ends_late_leaves_its_user_where_the_user_has_gone() {
        show(served.start("draw_chart"));
        var held = new ArrayList<Route>();
        page.route("**/mcp", route -> {
            if (route.request().postData().contains("tasks/retry")) {
                held.add(route);
            } else {
                route.resume();
            }
        });
        page.waitForRequest(
                request -> String.valueOf(request.postData()).contains("tasks/retry"),
                () -> button("Retry").click());
        linkTo("Tools").click();
        assertThat(page.locator(".tool-list li").first()).isVisible();
        page.waitForResponse(
                        response ->
                                String.valueOf(response.request().postData()).contains("tasks/retry"),
                        () -> held.getFirst().resume())
                .finished();
        linkTo("Tasks").click();
        assertThat(rows()).hasCount(2);
        assertThat(page).hasURL(Pattern.compile("#/tasks$"));
    }

    @Test
    void ended_tasks_are_not_purged_by_a_text_that_no_purge_knows() {
        served.start("draw_chart");
        served.start("print_invoices");
        assertThat(rows()).hasCount(2);
        assertThat(button("Purge ended tasks…")).isEnabled();
        page.getByLabel("Search").fill("INVO");
        page.keyboard().press("Enter");
        assertThat(rows()).hasCount(1);
        assertThat(button("Purge ended tasks…")).isDisabled();
        page.reload();
        assertThat(rows()).hasCount(1);
        assertThat(button("Purge ended tasks…")).isDisabled();
        page.getByLabel("Search").fill("");
        page.keyboard().press("Enter");
        assertThat(button("Purge ended tasks…")).isEnabled();
    }

    @Test
    void a_purge_keeps_the_filter_that_its_user_has_agreed_to() {
        served.start("draw_chart");
        served.start("print_invoices");
        page.getByLabel("Tool").fill("draw_chart");
        page.keyboard().press("Enter");
        assertThat(rows()).hasCount(1);
        var held = new ArrayList<Route>();
        page.route("**/mcp", route -> {
            if (route.request().postData().contains("tasks/purge")) {
                held.add(route);
            } else {
                route.resume();
            }
        });
        button("Purge ended tasks…").click();
        confirm("Purge");
        page.waitForCondition(() -> held.size() == 1);
        page.getByLabel("Tool").fill("");
        page.keyboard().press("Enter");
        assertThat(rows()).hasCount(2);
        purged(held.getLast(), ",\"nextCursor\":\"7\"");
        page.waitForCondition(() -> held.size() == 2);
        assertThat(held.getLast().request().postData()).contains("\"tool\":\"draw_chart\"", "\"cursor\":\"7\"");
        purged(held.getLast(), "");
        assertThat(page.locator("#said")).hasText("2 tasks purged");
    }

    private static void purged(Route route, String more) {
        route.fulfill(new Route.FulfillOptions()
                .setContentType("application/json")
                .setBody("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"deleted\":1" + more + "}}"));
    }

    @Test
    void two_clicks_at_once_turn_one_page() {
        for (int i = 0; i < 60; i++) {
            served.start("draw_chart");
        }
        assertThat(rows()).hasCount(50);
        button("Older").evaluate("older => { older.click(); older.click(); }");
        assertThat(rows()).hasCount(10);
        button("Newer").evaluate("newer => { newer.click(); newer.click(); }");
        assertThat(rows()).hasCount(50);
        assertThat(page.locator("#note")).hasText("50 tasks");
    }
}
