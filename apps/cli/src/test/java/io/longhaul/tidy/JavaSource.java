// SPDX-License-Identifier: Apache-2.0
package io.longhaul.tidy;

import static java.util.stream.Collectors.toMap;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** A Java file together with its syntax tree, as the JDK's own compiler parses it. Names in it are not looked up. */
record JavaSource(TextFile file, CompilationUnitTree unit, SourcePositions positions) {

    static List<JavaSource> parse(List<TextFile> files) {
        var byUri = files.stream().filter(TextFile::isJava).collect(toMap(JavaSource::uri, file -> file, (a, b) -> b));
        var inputs = byUri.entrySet().stream()
                .map(entry -> new Input(entry.getKey(), entry.getValue().text()))
                .toList();
        if (inputs.isEmpty()) {
            return List.of();
        }
        var problems = new DiagnosticCollector<JavaFileObject>();
        var compiler = ToolProvider.getSystemJavaCompiler();
        var task = (JavacTask) compiler.getTask(null, null, problems, List.of("-proc:none"), null, inputs);
        var sources = new ArrayList<JavaSource>();
        try {
            var positions = Trees.instance(task).getSourcePositions();
            for (var unit : task.parse()) {
                sources.add(new JavaSource(byUri.get(unit.getSourceFile().toUri()), unit, positions));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (var problem : problems.getDiagnostics()) {
            if (problem.getKind() == Diagnostic.Kind.ERROR) {
                throw new IllegalArgumentException(problem.toString());
            }
        }
        return sources;
    }

    int firstLine(Tree tree) {
        return lineAt(positions.getStartPosition(unit, tree));
    }

    int lastLine(Tree tree) {
        return lineAt(positions.getEndPosition(unit, tree));
    }

    Finding finding(Tree tree, String problem, String remedy) {
        return file.finding(firstLine(tree), problem, remedy);
    }

    private int lineAt(long position) {
        return (int) unit.getLineMap().getLineNumber(Math.max(0, position));
    }

    private static URI uri(TextFile file) {
        try {
            return new URI("project", "", "/" + file.path(), null);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(file.path(), e);
        }
    }

    private static final class Input extends SimpleJavaFileObject {
        private final String text;

        Input(URI uri, String text) {
            super(uri, Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
