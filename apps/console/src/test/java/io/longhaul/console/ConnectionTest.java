// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import java.net.URI;
import java.util.ArrayList;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pages whose server is slow, away, or wants another token. */
@Timeout(120)
class ConnectionTest extends OnePage {

    private static final String CALLS = "**/mcp";

    @AutoClose
    private final Cable cable = new Cable(served.page().getPort());

    @Override
    URI link() {
        var direct = served.link();
        return URI.create(direct.toString().replace(":" + direct.getPort() + "/", ":" + cable.port() + "/"));
    }

    /** A browser itself logs what it could not load. */
    @AfterEach
    void what_a_browser_says_of_connections_is_no_trouble() {
        troubles.removeIf(trouble -> trouble.startsWith("Failed to load resource"));
    }

    /** Answers calls of a method in place of the server. */
    private void answer(String method, int status, String body) {
        var answer = new Route.FulfillOptions()
                .setStatus(status)
                .setContentType("application/json")
                .setBody(body);
        page.route(CALLS, route -> {
            if (route.request().postData().contains("\"" + method + "\"")) {
                route.fulfill(answer);
            } else {
                route.resume();
            }
        });
    }

    @Test
    void the_stream_is_opened_again_after_it_was_cut() {
        assertThat(page.locator("#live")).hasText("live");
        cable.cut();
        assertThat(page.locator("#live")).hasText("reconnecting");
        served.start("draw_chart");
        assertThat(rows()).hasCount(0);
        cable.mend();
        assertThat(page.locator("#live")).hasText("live");
        assertThat(rows()).hasCount(1);
        assertThat(page.locator("main .problem")).hasCount(0);
    }

    @Test
    void the_page_of_a_task_goes_on_after_its_connection_was_cut() {
        show(served.start("import_orders"));
        served.steps.release();
        assertThat(page.locator(".progress-text")).hasText("25% night 1");
        cable.cut();
        assertThat(page.locator("#live")).hasText("reconnecting");
        served.steps.release();
        cable.mend();
        assertThat(page.locator(".progress-text")).hasText("50% night 2");
        served.steps.release(3);
        assertThat(page.locator(".result")).hasText("4 nights, 1,204 orders");
        assertThat(page.locator("#log li")).hasCount(8);
    }

    @Test
    void a_page_that_loads_while_the_server_is_away_goes_on_when_it_is_back() {
        page.route(CALLS, Route::abort);
        page.reload();
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("The server cannot be reached");
        page.unroute(CALLS);
        assertThat(heading("Tasks")).isVisible();
        assertThat(page.getByRole(AriaRole.ALERT)).hasCount(0);
    }

    @Test
    void a_question_can_be_answered_also_where_its_owner_is_known_after_it() {
        var task = served.start("release");
        var held = new ArrayList<Route>();
        page.route("**/events", held::add);
        open("#/tasks/" + task);
        page.reload();
        assertThat(page.locator(".heading .state")).hasText("Needs an answer");
        assertThat(page.locator(".facts")).containsText("local");
        assertThat(page.getByText("Only local can answer")).hasCount(0);
        held.getLast().resume();
        button("Decline").click();
        assertThat(page.locator(".result")).hasText("Not released");
    }

    @Test
    void an_answer_with_a_token_that_is_good_no_more_leads_to_the_sign_in() {
        show(served.start("release"));
        answer("tasks/update", 401, "{\"error\":{\"message\":\"Give a good token\"}}");
        button("Decline").click();
        assertThat(heading("Sign in")).isVisible();
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("Give a good token");
    }

    @Test
    void a_refused_answer_to_a_quick_tool_says_so_and_nothing_is_calling_any_more() {
        open("#/tools/greet");
        button("Call").click();
        page.getByLabel("Name").fill("Ada");
        answer("tools/call", 400, """
                {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Too late"}}
                """);
        button("Send answer").click();
        assertThat(page.locator("#outcome").getByRole(AriaRole.ALERT)).hasText("Too late");
        assertThat(page.getByText("Calling…")).hasCount(0);
        assertThat(button("Call")).isEnabled();
    }

    @Test
    void a_picture_of_a_million_spaces_is_refused() {
        open("#/tools/greet");
        answer("tools/call", 200, """
                {"jsonrpc":"2.0","id":1,"result":{"content":[
                  {"type":"image","mimeType":"image/png","data":"A%s!"}]}}
                """.formatted(" ".repeat(1_000_000)));
        button("Call").click();
        assertThat(page.locator(".result")).containsText("it is not Base64");
    }

    @Test
    void a_token_that_no_header_can_carry_is_refused_with_a_word_and_not_kept() {
        button("Sign out").click();
        page.getByLabel("Token").fill("Grüße…");
        button("Sign in").click();
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("letters, digits and signs of ASCII");
        page.getByLabel("Token").fill(served.token());
        button("Sign in").click();
        assertThat(heading("Tasks")).isVisible();
    }

    @Test
    void a_stream_that_leads_to_a_login_tells_its_user_to_log_in_again() {
        open("#/figures");
        var login = new Route.FulfillOptions()
                .setStatus(302)
                .setHeaders(Map.of("Location", link().resolve("./").toString()));
        page.route("**/events", route -> route.fulfill(login));
        cable.cut();
        cable.mend();
        assertThat(heading("Sign in")).isVisible();
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("log in again");
    }

    @Test
    void a_stream_that_is_refused_without_a_reason_leads_to_the_sign_in() {
        page.route(
                "**/events",
                route -> route.fulfill(new Route.FulfillOptions().setStatus(401).setBody("no JSON")));
        cable.cut();
        cable.mend();
        assertThat(heading("Sign in")).isVisible();
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("A token is needed");
    }

    @Test
    void a_stream_is_not_live_before_its_first_event() {
        assertThat(page.locator("#live")).hasText("live");
        page.evaluate("() => { const live = document.getElementById('live'); window.said = [];"
                + " new MutationObserver(() => said.push(live.textContent)).observe(live, { childList: true }); }");
        var asked = new ArrayList<Route>();
        page.route("**/events", route -> {
            asked.add(route);
            route.fulfill(new Route.FulfillOptions()
                    .setContentType("text/event-stream")
                    .setBody(": none\n\n"));
        });
        cable.cut();
        cable.mend();
        page.waitForCondition(() -> asked.size() > 2);
        assertThat((String) page.evaluate("said.join()")).isNotEmpty().doesNotContain("live");
    }

    /** What a browser does when another tab is chosen, or this one: without a window, each tab counts as shown. */
    private static void hide(Page tab, boolean isHidden) {
        tab.evaluate(
                "hidden => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });"
                        + " document.dispatchEvent(new Event('visibilitychange')); }",
                isHidden);
    }

    @Test
    void tabs_that_are_not_shown_leave_the_connections_of_the_browser_to_the_one_that_is() {
        var place = "#/tasks/" + served.start("import_orders");
        open(place);
        hide(page, true);
        for (int i = 0; i < 6; i++) {
            var tab = context.newPage();
            watch(tab);
            tab.navigate(link().toString());
            Places.open(tab, link(), place);
            hide(tab, true);
        }
        hide(page, false);
        served.steps.release();
        assertThat(page.locator(".progress-text")).hasText("25% night 1");
        assertThat(page.locator("#live")).hasText("live");
    }

    @Test
    void the_title_of_a_tab_that_is_not_shown_still_tells_how_its_task_stands() {
        show(served.start("import_orders"));
        hide(page, true);
        assertThat(page.locator("#live")).hasText("reconnecting");
        served.steps.release(5);
        assertThat(page).hasTitle(Pattern.compile("^import_orders – Completed"));
    }

    @Test
    void an_address_that_is_none_is_told_and_the_other_pages_go_on() {
        page.evaluate("() => { location.hash = '#/tasks/%zz'; }");
        assertThat(page.getByRole(AriaRole.ALERT)).isVisible();
        page.reload();
        assertThat(page.getByRole(AriaRole.ALERT)).isVisible();
        linkTo("Tools").click();
        assertThat(page.locator(".tool-list li").first()).isVisible();
    }
}
