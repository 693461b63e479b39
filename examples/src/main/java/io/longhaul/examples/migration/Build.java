// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.migration;

import io.longhaul.server.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/**
 * The build of a checkout. Maven compiles and tests a project that has a {@code pom.xml}, with its dependencies; the
 * compiler of the JDK compiles the sources of any other one.
 */
final class Build {

    /** An error of Maven that names a place, such as {@code App.java:[4,32] text} or {@code AppTest.adds:12 text}. */
    private static final Pattern WITH_A_PLACE = Pattern.compile("\\[ERROR] +(\\S+:\\[?\\d.*)");

    private static final Pattern ANY = Pattern.compile("\\[ERROR] +(\\S.*)");

    private final Path checkout;

    Build(Path checkout) {
        this.checkout = checkout;
    }

    /** The first error, with its place; empty where there is none. */
    String firstError() throws IOException, InterruptedException {
        return Files.exists(checkout.resolve("pom.xml")) ? firstErrorOfMaven() : firstErrorOfCompiler();
    }

    private String firstErrorOfMaven() throws IOException, InterruptedException {
        Command.Ended build;
        try {
            build = Command.run(checkout, Map.of(), List.of("mvn", "-q", "-B", "-ntp", "test"));
        } catch (IOException e) {
            throw new ToolException("Maven cannot be started; put mvn on the PATH of the server.");
        }
        if (build.code() == 0) {
            return "";
        }
        return first(WITH_A_PLACE, build.output())
                .or(() -> first(ANY, build.output()))
                .map(error -> error.replace(checkout + "/", ""))
                .orElse("mvn test ended with the code " + build.code());
    }

    private static Optional<String> first(Pattern error, String output) {
        return error.matcher(output).results().map(found -> found.group(1)).findFirst();
    }

    private String firstErrorOfCompiler() throws IOException {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var found = new DiagnosticCollector<JavaFileObject>();
        try (var files = compiler.getStandardFileManager(found, Locale.ROOT, null)) {
            var options = List.of("-proc:none", "-nowarn", "-d", checkout.toString());
            var sources = files.getJavaFileObjectsFromPaths(SourceRewrite.sources(checkout));
            compiler.getTask(null, files, found, options, null, sources).call();
        }
        return found.getDiagnostics().stream()
                .filter(problem -> problem.getKind() == Diagnostic.Kind.ERROR)
                .map(problem -> checkout.relativize(Path.of(problem.getSource().toUri())) + ":"
                        + problem.getLineNumber() + ": "
                        + problem.getMessage(Locale.ROOT).lines().findFirst().orElse(""))
                .findFirst()
                .orElse("");
    }
}
