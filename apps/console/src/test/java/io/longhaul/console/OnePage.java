// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What a person does on one page. No page may break its policy, log an error or ask another host for anything. */
abstract class OnePage extends InChromium {

    final List<String> troubles = new ArrayList<>();
    BrowserContext context;
    Page page;

    /** The link that a person opens. */
    URI link() {
        return served.link();
    }

    @BeforeEach
    void signIn() {
        context = chromium.context(new NewContextOptions().setViewportSize(1200, 800));
        page = context.newPage();
        watch(page);
        page.navigate(link().toString());
        assertThat(heading("Tasks")).isVisible();
    }

    @AfterEach
    void nothing_was_wrong() {
        context.close();
        assertThat(troubles).isEmpty();
    }

    void watch(Page watched) {
        var here = link().getAuthority();
        watched.onConsoleMessage(message -> {
            if (message.type().equals("error") || message.text().contains("Content Security Policy")) {
                troubles.add(message.text());
            }
        });
        watched.onPageError(troubles::add);
        watched.onRequest(request -> {
            if (!request.url().startsWith("http://" + here + "/")
                    && !request.url().startsWith("data:")) {
                troubles.add("asks for " + request.url());
            }
        });
    }

    Locator heading(String name) {
        return page.getByRole(
                AriaRole.HEADING, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    Locator button(String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    Locator linkTo(String name) {
        return page.getByRole(
                AriaRole.LINK, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    Locator rows() {
        return page.locator("tbody tr");
    }

    /** Goes to a place of the console, and waits for what it is there for. */
    void open(String place) {
        Places.open(page, link(), place);
    }

    void show(String task) {
        open("#/tasks/" + task);
    }

    void confirm(String action) {
        page.getByRole(AriaRole.DIALOG)
                .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(action))
                .click();
    }
}
