// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.migration;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Rewrites the Java sources of a folder, where the compiler of the JDK finds a call of such a constructor. */
final class SourceRewrite {

    private static final Set<String> BOXED =
            Set.of("Boolean", "Byte", "Character", "Double", "Float", "Integer", "Long", "Short");

    private final Path folder;
    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();

    SourceRewrite(Path folder) {
        this.folder = folder;
    }

    /** Replaces each call. A file without such a call is not written. */
    Change rewrite() throws IOException {
        int files = 0;
        int calls = 0;
        for (var source : sources(folder)) {
            var places = places(source);
            if (!places.isEmpty()) {
                Files.writeString(source, replaced(Files.readString(source), places));
                files++;
                calls += places.size();
            }
        }
        return new Change(files, calls, "");
    }

    static List<Path> sources(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .toList();
        }
    }

    /** The positions where {@code new Integer(} and similar calls begin, the last first. */
    private Set<Integer> places(Path source) throws IOException {
        Set<Integer> places = new TreeSet<>(Comparator.reverseOrder());
        try (var files = compiler.getStandardFileManager(null, Locale.ROOT, null)) {
            var parser = (JavacTask) compiler.getTask(
                    null, files, problem -> {}, List.of("-proc:none"), null, files.getJavaFileObjects(source));
            var positions = Trees.instance(parser).getSourcePositions();
            for (CompilationUnitTree unit : parser.parse()) {
                new TreePathScanner<Void, Void>() {
                    @Override
                    public Void visitNewClass(NewClassTree call, Void nothing) {
                        boolean isPlain = call.getClassBody() == null
                                && call.getEnclosingExpression() == null
                                && call.getArguments().size() == 1;
                        if (isPlain && BOXED.contains(call.getIdentifier().toString())) {
                            places.add((int) positions.getStartPosition(unit, call));
                        }
                        return super.visitNewClass(call, nothing);
                    }
                }.scan(unit, null);
            }
        }
        return places;
    }

    private static String replaced(String text, Set<Integer> places) {
        var rewritten = new StringBuilder(text);
        for (int start : places) {
            int open = rewritten.indexOf("(", start);
            var type = rewritten.substring(start + "new".length(), open).strip();
            rewritten.replace(start, open, type + ".valueOf");
        }
        return rewritten.toString();
    }
}
