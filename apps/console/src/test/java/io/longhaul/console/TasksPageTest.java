// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import io.longhaul.engine.task.Owner;
import io.longhaul.server.Tool;
import io.longhaul.testkit.talk.Messages;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a person does with many tasks at once. */
@Timeout(120)
class TasksPageTest extends OnePage {

    private Locator select(String tool) {
        return page.getByLabel(Pattern.compile("^Select " + tool));
    }

    private Locator action(String name) {
        return page.locator(".selection button", new Page.LocatorOptions().setHasText(name));
    }

    private Locator tools() {
        return page.locator("tbody th");
    }

    @Test
    void tasks_that_are_selected_are_cancelled_retried_and_purged_together() {
        served.start("import_orders");
        served.start("import_orders");
        served.start("draw_chart");
        served.start(new Owner("alice"), "print_invoices", Map.of());
        assertThat(rows()).hasCount(4);
        assertThat(page.locator(".selection")).isHidden();
        select("import_orders").first().check();
        select("import_orders").last().check();
        assertThat(page.locator(".selection")).containsText("2 tasks selected");
        assertThat(action("Retry")).isDisabled();
        action("Cancel").click();
        confirm("Cancel 2 tasks");
        assertThat(page.locator("#said")).hasText("2 tasks cancelled");
        assertThat(page.locator(".state[data-state=cancelled]")).hasCount(2);
        assertThat(page.locator(".selection")).isHidden();
        page.getByLabel("Select all tasks of this page").check();
        assertThat(page.locator(".selection")).containsText("4 tasks selected");
        assertThat(action("Cancel")).isDisabled();
        // The task of alice is not this user's.
        assertThat(action("Purge")).hasText("Purge 3");
        select("import_orders").first().uncheck();
        action("Purge").click();
        confirm("Keep as it is");
        action("Retry").click();
        confirm("Retry 2 tasks");
        assertThat(rows()).hasCount(6);
        page.getByLabel("Select all tasks of this page").check();
        action("Purge").click();
        confirm("Purge 4 tasks");
        assertThat(rows()).hasCount(2);
    }

    @Test
    void a_task_that_the_server_refuses_to_purge_stays_selected_with_the_reason() {
        var kept = served.start("draw_chart");
        served.start("draw_chart");
        assertThat(page.locator(".state[data-state=completed]")).hasCount(2);
        page.getByLabel("Select all tasks of this page").check();
        page.route("**/mcp", route -> {
            var sent = Messages.read(route.request().postData());
            if (sent.path("method").asString("").endsWith("/delete")
                    && sent.at("/params/taskId").asString("").equals(kept)) {
                var body = "{\"jsonrpc\":\"2.0\",\"id\":" + sent.path("id")
                        + ",\"error\":{\"code\":-32602,\"message\":\"it is needed\"}}";
                route.fulfill(new Route.FulfillOptions()
                        .setContentType("application/json")
                        .setBody(body));
            } else {
                route.resume();
            }
        });
        action("Purge").click();
        confirm("Purge 2 tasks");
        assertThat(page.locator("main .problem")).hasText("it is needed");
        assertThat(rows()).hasCount(1);
        assertThat(page.locator(".selection")).containsText("1 task selected");
        assertThat(page.locator("#said")).hasText("1 task purged");
    }

    @Test
    void the_page_is_sorted_by_a_column_and_the_address_keeps_that() {
        for (var tool : List.of("release", "draw_chart", "print_invoices")) {
            startLater(tool);
        }
        assertThat(tools()).hasText(new String[] {"print_invoices", "draw_chart", "release"});
        button("Tool").click();
        assertThat(tools()).hasText(new String[] {"draw_chart", "print_invoices", "release"});
        assertThat(page.locator("th[aria-sort=ascending]")).hasText("Tool");
        button("Tool").focus();
        page.keyboard().press("Enter");
        assertThat(tools()).hasText(new String[] {"release", "print_invoices", "draw_chart"});
        page.reload();
        assertThat(tools()).hasText(new String[] {"release", "print_invoices", "draw_chart"});
        startLater("publish");
        assertThat(tools()).hasText(new String[] {"release", "publish", "print_invoices", "draw_chart"});
        button("Tool").click();
        assertThat(tools().first()).hasText("publish");
        button("Age").click();
        assertThat(tools().first()).hasText("publish");
        button("Age").click();
        assertThat(tools().first()).hasText("release");
    }

    /** Starts a task in another millisecond than those before: of tasks of one millisecond none is newer. */
    private void startLater(String tool) {
        long now = System.currentTimeMillis();
        while (System.currentTimeMillis() == now) {
            Thread.onSpinWait();
        }
        served.start(tool);
    }

    @Test
    void tasks_are_filtered_by_the_time_of_their_creation() {
        served.start("draw_chart");
        assertThat(rows()).hasCount(1);
        page.getByLabel("Created").selectOption("Last 15 minutes");
        assertThat(rows()).hasCount(1);
        assertThat(page).hasURL(Pattern.compile("since=15m"));
        page.clock().install();
        page.clock().setFixedTime(System.currentTimeMillis() + 3_600_000);
        page.getByLabel("State").selectOption("completed");
        assertThat(rows()).hasCount(0);
        page.getByLabel("Created").selectOption("Last day");
        assertThat(rows()).hasCount(1);
    }

    @Test
    void on_a_phone_nothing_of_a_task_is_cut() {
        var word = "w".repeat(200);
        served.server().addTool(Tool.define("tells_much").longRunning().handler((none, task) -> {
            task.progress(1, 2, word);
            served.steps.acquire();
            return "told";
        }));
        served.start(new Owner("a-user-with-a-rather-long-name@example.com"), "tells_much", Map.of());
        served.start("import_orders");
        page.setViewportSize(390, 800);
        open("#/tasks");
        assertThat(rows()).hasCount(2);
        assertThat(page.locator("tbody .time").first()).isVisible();
        assertThat(page.locator("tbody .id").first()).isVisible();
        assertThat((List<?>) page.evaluate("() => [...document.querySelectorAll('tbody *, thead *, .filters *')]"
                        + ".filter(e => e.checkVisibility() && (e.scrollWidth > e.clientWidth + 1"
                        + " && getComputedStyle(e).overflowX !== 'visible'"
                        + " || e.getBoundingClientRect().right > 390)).map(e => e.outerHTML)"))
                .isEmpty();
        assertThat(page.evaluate("() => document.documentElement.scrollWidth")).isEqualTo(390);
        var message = page.locator(".message", new Page.LocatorOptions().setHasText(word));
        assertThat(message).isVisible();
        assertThat((Boolean) message.evaluate("e => e.scrollHeight <= e.clientHeight + 1"))
                .isTrue();
        select("import_orders").check();
        assertThat(action("Cancel")).isVisible();
    }
}
