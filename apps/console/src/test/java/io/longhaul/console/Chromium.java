// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The Chromium of this machine, without a window: the property {@code longhaul.chromium} names it, else it is looked
 * for on the PATH. Where there is none, one line says so and the tests that need it are skipped.
 */
final class Chromium implements AutoCloseable {

    /** How long a page may take to show what a test expects, in milliseconds, on a machine with much else to do. */
    private static final int PATIENCE = 30_000;

    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");

    private final Playwright playwright;
    private final Browser browser;

    private Chromium(Path program) {
        playwright = Playwright.create(new Playwright.CreateOptions().setEnv(environment()));
        // The sandbox of Chromium does not work for root, as which containers run builds.
        browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(program)
                        .setChromiumSandbox(!"root".equals(System.getProperty("user.name"))));
    }

    /** Nothing is downloaded. */
    private static Map<String, String> environment() {
        return Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
    }

    static Chromium start() {
        var program = find();
        if (program.isEmpty()) {
            System.err.println("console: no Chromium on the PATH, its pages are not tested: install chromium");
        }
        assumeTrue(program.isPresent(), "there is no Chromium");
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE);
        return new Chromium(program.get());
    }

    private static Optional<Path> find() {
        var named = System.getProperty("longhaul.chromium");
        if (named != null) {
            return Optional.of(Path.of(named)).filter(Files::isExecutable);
        }
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    BrowserContext context(Browser.NewContextOptions options) {
        return browser.newContext(options);
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}
