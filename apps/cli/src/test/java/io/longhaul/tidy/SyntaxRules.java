// SPDX-License-Identifier: Apache-2.0
package io.longhaul.tidy;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * House rules on the shape of the code. Each takes one parsed file.
 *
 * <p>They see names as they are written, not what these mean: a class of ours called {@code Random} would count as the
 * JDK's.
 */
final class SyntaxRules {
    static final int MAX_METHOD_LINES = 70;
    static final int MAX_PARAMETERS = 6;

    /** Modules whose time and chance come from outside, so that a test can replay them. */
    static final Set<String> DETERMINISTIC =
            Set.of("core/engine", "core/protocol", "core/schema", "core/receiver", "core/requestor", "stores/sqlite");

    /** The classes of those modules that stand between them and the real clock, by path. Nothing else belongs here. */
    static final Set<String> SEAMS = Set.of(
            "core/engine/src/main/java/io/longhaul/engine/RandomTaskIds.java",
            "core/engine/src/main/java/io/longhaul/engine/SystemTime.java",
            "stores/sqlite/src/main/java/io/longhaul/store/jdbc/codec/RowSeal.java");

    private static final String SEAM_REMEDY =
            "Take the time or the random source as a parameter (the real ones are in the classes of SyntaxRules.SEAMS)";
    private static final Map<String, Set<String>> AMBIENT = Map.of(
            "Instant", Set.of("now"),
            "LocalDateTime", Set.of("now"),
            "ZonedDateTime", Set.of("now"),
            "OffsetDateTime", Set.of("now"),
            "System", Set.of("currentTimeMillis", "nanoTime"),
            "Clock", Set.of("systemUTC", "systemDefaultZone", "system", "tickMillis", "tickSeconds"),
            "InstantSource", Set.of("system"),
            "UUID", Set.of("randomUUID"),
            "Math", Set.of("random"),
            "ThreadLocalRandom", Set.of("current"));
    private static final Set<String> AMBIENT_CLASSES =
            Set.of("Random", "SecureRandom", "SplittableRandom", "Date", "ThreadLocalRandom");
    private static final Map<String, Set<String>> SLEEPS = Map.of(
            "Thread", Set.of("sleep"),
            "NANOSECONDS", Set.of("sleep"),
            "MICROSECONDS", Set.of("sleep"),
            "MILLISECONDS", Set.of("sleep"),
            "SECONDS", Set.of("sleep"),
            "MINUTES", Set.of("sleep"),
            "LockSupport", Set.of("parkNanos", "parkUntil"));

    private static final Set<String> AGENT_TESTS = Set.of("ThreadsContract", "InterleavingContract");

    private SyntaxRules() {}

    static Stream<Finding> methodSizes(JavaSource source) {
        return declarations(source, tree -> {
            var lines = source.lastLine(tree) - source.firstLine(tree) + 1;
            return tree instanceof MethodTree method && lines > MAX_METHOD_LINES
                    ? Stream.of(source.finding(
                            tree,
                            "method " + nameOf(method) + " has " + lines + " lines, more than " + MAX_METHOD_LINES,
                            "Split it into named steps"))
                    : Stream.empty();
        });
    }

    /** Records count by their components; annotations, having none, never do. */
    static Stream<Finding> parameters(JavaSource source) {
        return declarations(source, tree -> {
            var count = parameterCount(tree);
            return count > MAX_PARAMETERS
                    ? Stream.of(source.finding(
                            tree,
                            nameOf(tree) + " takes " + count + " parameters, more than " + MAX_PARAMETERS,
                            "Put those that belong together into a record"))
                    : Stream.empty();
        });
    }

    static Stream<Finding> clocksAndRandomness(JavaSource source) {
        var file = source.file();
        if (!file.isMainJava() || !DETERMINISTIC.contains(file.module()) || SEAMS.contains(file.path())) {
            return Stream.empty();
        }
        return uses(source, AMBIENT, AMBIENT_CLASSES, SEAM_REMEDY);
    }

    static Stream<Finding> sleepsInTests(JavaSource source) {
        return source.file().isTestJava()
                ? uses(source, SLEEPS, Set.of(), "Wait for the event itself, or move a fake clock")
                : Stream.empty();
    }

    /** The build finds tests that load an agent by their name: one of another name would never run. */
    static Stream<Finding> agentTests(JavaSource source) {
        return declarations(source, tree -> {
            var isMisnamed = tree instanceof ClassTree type
                    && type.getExtendsClause() != null
                    && AGENT_TESTS.contains(lastName(type.getExtendsClause()))
                    && !type.getSimpleName().toString().matches(".*ThreadsTest|InterleavingContract");
            return isMisnamed
                    ? Stream.of(source.finding(tree, nameOf(tree) + " loads an agent", "Call it ...ThreadsTest"))
                    : Stream.empty();
        });
    }

    /** A Java file lies in the folder of its package, and inside the root package of its module. */
    static Stream<Finding> packages(JavaSource source) {
        var file = source.file();
        if (file.isModuleInfo()) {
            return Stream.empty();
        }
        var root = Modules.ROOT_PACKAGE.get(file.module());
        var name = String.valueOf(source.unit().getPackageName());
        if (!name.equals(file.packageName())) {
            return Stream.of(file.finding(1, "package " + name + " in another folder", "Move the file"));
        }
        if (file.isMainJava() && root != null && !(name + ".").startsWith(root + ".")) {
            return Stream.of(file.finding(1, name + " in module " + file.module(), "Put it under package " + root));
        }
        return Stream.empty();
    }

    private static Stream<Finding> uses(
            JavaSource source, Map<String, Set<String>> methods, Set<String> classes, String remedy) {
        var found = new ArrayList<Finding>();
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitImport(ImportTree tree, Void unused) {
                return tree.isStatic() ? super.visitImport(tree, null) : null;
            }

            @Override
            public Void visitMemberSelect(MemberSelectTree tree, Void unused) {
                check(tree, tree.getExpression(), tree.getIdentifier().toString());
                return super.visitMemberSelect(tree, null);
            }

            @Override
            public Void visitMemberReference(MemberReferenceTree tree, Void unused) {
                check(tree, tree.getQualifierExpression(), tree.getName().toString());
                return super.visitMemberReference(tree, null);
            }

            @Override
            public Void visitNewClass(NewClassTree tree, Void unused) {
                check(tree, tree.getIdentifier(), "<init>");
                return super.visitNewClass(tree, null);
            }

            private void check(Tree at, Tree owner, String member) {
                var type = lastName(owner);
                if (methods.getOrDefault(type, Set.of()).contains(member)
                        || (member.equals("<init>") && classes.contains(type))) {
                    var use = member.equals("<init>") ? "new " + type : type + "." + member;
                    found.add(source.finding(at, use + " is used", remedy));
                }
            }
        }.scan(source.unit(), null);
        return found.stream();
    }

    private static Stream<Finding> declarations(JavaSource source, Function<Tree, Stream<Finding>> rule) {
        var found = new ArrayList<Finding>();
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitMethod(MethodTree tree, Void unused) {
                rule.apply(tree).forEach(found::add);
                return super.visitMethod(tree, null);
            }

            @Override
            public Void visitClass(ClassTree tree, Void unused) {
                rule.apply(tree).forEach(found::add);
                return super.visitClass(tree, null);
            }
        }.scan(source.unit(), null);
        return found.stream();
    }

    private static int parameterCount(Tree tree) {
        if (tree instanceof MethodTree method) {
            return method.getParameters().size();
        }
        return tree.getKind() == Tree.Kind.RECORD ? components((ClassTree) tree).size() : 0;
    }

    /** The parser gives the components of a record as its fields that are not static: it can have no others. */
    private static List<? extends Tree> components(ClassTree record) {
        return record.getMembers().stream()
                .filter(member -> member instanceof VariableTree field && !isStatic(field.getModifiers()))
                .toList();
    }

    private static boolean isStatic(ModifiersTree modifiers) {
        return modifiers.getFlags().contains(javax.lang.model.element.Modifier.STATIC);
    }

    private static String nameOf(Tree tree) {
        return switch (tree) {
            case MethodTree method when method.getName().contentEquals("<init>") -> "the constructor";
            case MethodTree method -> method.getName().toString();
            case ClassTree type -> type.getSimpleName().toString();
            default -> tree.getKind().toString();
        };
    }

    private static String lastName(Tree tree) {
        var name = tree.toString();
        return name.substring(name.lastIndexOf('.') + 1).replaceAll("<.*", "");
    }
}
