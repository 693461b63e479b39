// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.login;

import java.io.IOException;
import java.net.URI;
import java.util.Locale;

/** Opens the browser of the desktop. */
final class Browser {

    private Browser() {}

    /** Opens an address where there is a desktop; no effect elsewhere, because the address is printed as well. */
    static void open(URI address) {
        var system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        var opener = system.contains("mac") ? "open" : system.contains("win") ? "explorer" : "xdg-open";
        try {
            new ProcessBuilder(opener, address.toString())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            return;
        }
    }
}
