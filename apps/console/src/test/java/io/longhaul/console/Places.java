// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import java.net.URI;

/** The places of the console, and what each shows when it has loaded. */
final class Places {

    private Places() {}

    /** Waits for what was asked of the server, too: a page has its heading before that. */
    static void open(Page page, URI link, String place) {
        page.navigate(link.resolve(place).toString());
        assertThat(page.locator(loaded(place)).first()).isVisible();
    }

    private static String loaded(String place) {
        if (place.startsWith("#/tasks/")) {
            return ".facts dt";
        }
        if (place.matches("#/(tools|resources|prompts)/.+")) {
            return "main form .actions";
        }
        return switch (place) {
            case "#/tools", "#/resources", "#/prompts" -> ".tool-list li";
            case "#/messages" -> ".messages li";
            case "#/figures" -> ".plots svg";
            default -> "tbody tr";
        };
    }
}
