// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;

/** Tests of pages: one browser for all of a class, and a server for each. */
abstract class InChromium {

    static Chromium chromium;

    @AutoClose
    final ConsoleServer served = new ConsoleServer();

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
}
