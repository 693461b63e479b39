// SPDX-License-Identifier: Apache-2.0
package io.longhaul.tidy;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** House rules on what may depend on what: between the modules as Maven sees them, and between compiled classes. */
final class ModuleRules {
    private static final Pattern DEPENDENCY =
            Pattern.compile("<dependency>\\s*<groupId>io\\.longhaul</groupId>\\s*<artifactId>([^<]+)</artifactId>"
                    + "(?:\\s*<scope>([^<]+)</scope>)?");

    /** The list of versions, and the project to start from. */
    private static final Set<String> WITHOUT_CODE = Set.of("release/bom", "release/archetype");

    private static final String DIALECTS = "io.longhaul.protocol.dialect";
    private static final String EXTENSIONS = "io.longhaul.receiver.ext";
    private static final String CALL = "io.longhaul.protocol.call.Call";
    private static final String WISH = CALL + "$TaskWish";

    /** The classes that read the traits of generations and the wishes of calls. */
    private static final Set<String> PLANNERS = Set.of(
            "io.longhaul.receiver.plan.Planner",
            "io.longhaul.receiver.plan.ClientTaskManner",
            "io.longhaul.requestor.plan.ClientPlanner");

    /** The package of one dialect: what several share is in {@code words} and {@code base}. */
    private static final Pattern DIALECT =
            Pattern.compile(Pattern.quote(DIALECTS) + "\\.(?!words\\b|base\\b)[a-z0-9]+");

    private static final int CROWD = 20;

    /** The rooms of the receiver are smaller: a request goes through most of them. */
    private static final int CROWD_OF_RECEIVER = 15;

    /** The types of an API that use rooms which know the API: those that users begin with, and what they define. */
    private static final Map<String, Set<String>> DOORS = Map.of(
            "core/server",
            doorsOf(
                    "io.longhaul.server.",
                    "LongRunning",
                    "McpServerBuilder",
                    "Prompt",
                    "PromptDefinition",
                    "Resource",
                    "ResourceDefinition",
                    "ResourceDescription",
                    "ResourceTemplate",
                    "ResourceTemplateDefinition",
                    "RunningServer",
                    "Tool",
                    "ToolDefinition",
                    // Rooms read annotations, and this one has constants of the API for values.
                    "annotation.McpLongRunning"),
            "core/client",
            doorsOf(
                    "io.longhaul.client.",
                    "McpClient",
                    "McpClientBuilder",
                    "OperatorTasks",
                    "RemotePrompts",
                    "RemoteResources",
                    "RemoteTasks"),
            "apps/gateway",
            doorsOf("io.longhaul.gateway.", "Gateway", "Upstream"));

    private ModuleRules() {}

    /** The poms of the modules name no other module than those that the arrows allow, but for the testkit in tests. */
    static Stream<Finding> poms(List<TextFile> files) {
        var byPath = files.stream().collect(Collectors.toMap(TextFile::path, file -> file));
        return new TreeSet<>(Modules.ARROWS.keySet())
                .stream()
                        .filter(module -> byPath.containsKey(module + "/pom.xml"))
                        .flatMap(module -> {
                            var pom = byPath.get(module + "/pom.xml");
                            var allowed = Modules.ARROWS.get(module).stream()
                                    .map(Modules::artifact)
                                    .collect(Collectors.toSet());
                            return DEPENDENCY
                                    .matcher(pom.text())
                                    .results()
                                    .filter(match ->
                                            !"test".equals(match.group(2)) && !allowed.contains(match.group(1)))
                                    .map(match -> pom.finding(
                                            (int) pom.text()
                                                    .substring(0, match.start(1))
                                                    .lines()
                                                    .count(),
                                            module + " may not depend on " + match.group(1),
                                            "The allowed arrows are in Modules.ARROWS and in docs/ARCHITECTURE.md"));
                        });
    }

    /** Each folder that the root pom builds is a module that these rules know, but for those without code. */
    static Stream<Finding> unknownModules(List<TextFile> files) {
        var module = Pattern.compile("<module>([^<]+)</module>");
        return files.stream()
                .filter(file -> file.path().equals("pom.xml"))
                .flatMap(pom -> module.matcher(pom.text())
                        .results()
                        .filter(match ->
                                !Modules.ARROWS.containsKey(match.group(1)) && !WITHOUT_CODE.contains(match.group(1)))
                        .map(match -> pom.finding(
                                (int) pom.text()
                                        .substring(0, match.start(1))
                                        .lines()
                                        .count(),
                                "no rule knows module " + match.group(1),
                                "Add it to Modules.ARROWS and Modules.ROOT_PACKAGE")));
    }

    /** Compiled classes of a module use no package of a module beyond its reach. */
    static ArchRule arrows(String module) {
        return noClasses()
                .that(describe("are in " + module, type -> module.equals(moduleOf(type))))
                .should()
                .dependOnClassesThat(beyondReach(module))
                .because("the arrows of Modules.ARROWS allow " + module + " only " + Modules.reachable(module))
                .allowEmptyShould(true);
    }

    /** The core is free of what belongs to stores and transports, and time and waiting are given to it. */
    static Stream<ArchRule> forbiddenLibraries() {
        var forbidden = Map.of(
                "core/engine",
                new String[] {
                    "tools.jackson..", "com.fasterxml..", "java.sql..", "javax.sql..", "java.net..", "com.sun.net.."
                },
                "core/protocol",
                new String[] {"java.sql..", "java.net.http..", "com.sun.net..", "java.nio.channels..", "org.slf4j.."});
        return forbidden.entrySet().stream().map(entry -> uses(entry.getKey(), resideInAnyPackage(entry.getValue())));
    }

    /** The protocol is pure: whoever calls it brings threads, sockets and the time. */
    static ArchRule pureProtocol() {
        var impure = Set.of(
                "java.lang.Thread",
                "java.net.Socket",
                "java.net.ServerSocket",
                "java.time.Clock",
                "java.util.Timer",
                "java.util.concurrent.Executors",
                "java.util.concurrent.ExecutorService",
                "java.util.concurrent.ScheduledExecutorService");
        return uses(
                "core/protocol",
                describe("open sockets, start threads or read a clock", type -> impure.contains(type.getName())));
    }

    /** Text comes to a terminal through one class of the command, which makes it harmless. */
    static ArchRule oneWayToTheTerminal() {
        var ways = Set.of("java.io.PrintStream", "java.io.PrintWriter", "java.io.Console", "java.io.FileDescriptor");
        var screens = Set.of("Screen", "Screen$Bytes", "SystemTerminal");
        return noClasses()
                .that(describe(
                        "are in cli, beside Screen and SystemTerminal",
                        type -> "apps/cli".equals(moduleOf(type))
                                && !(type.getPackageName().equals("io.longhaul.cli.terminal")
                                        && screens.contains(type.getName().replaceAll(".*\\.", "")))))
                .should()
                .dependOnClassesThat(describe("write to a terminal", type -> ways.contains(type.getName())))
                .orShould()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .because("text of servers can hold control characters: print it by Screen");
    }

    /** A package {@code internal} is public for the other packages of its module alone. */
    static ArchRule internalsStayAtHome() {
        return noClasses()
                .should(new ArchCondition<>("use what is internal to another module") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        type.getDirectDependenciesFromSelf().stream()
                                .filter(use -> isInternal(use.getTargetClass()))
                                .filter(use -> !Objects.equals(moduleOf(use.getTargetClass()), moduleOf(type)))
                                .forEach(use -> events.add(SimpleConditionEvent.satisfied(use, use.getDescription())));
                    }
                })
                .because("users of a module get its other packages only");
    }

    private static boolean isInternal(JavaClass type) {
        return (type.getPackageName() + ".").contains(".internal.");
    }

    /** Which revision is spoken is the matter of its dialect and of the selector: all others ask what it can say. */
    static ArchRule revisionsAreAskedWhatTheyCan() {
        return noClasses()
                .that(describe("serve several revisions", type -> !isOfOneRevision(type)))
                .should()
                .accessFieldWhere(describe(
                        "names a revision",
                        access -> isRevision(access.getTargetOwner())
                                && access.getTarget().getRawType().equals(access.getTargetOwner())))
                .orShould()
                .callMethodWhere(describe(
                        "compares revisions",
                        call -> isRevision(call.getTargetOwner())
                                && Set.of("compareTo", "ordinal").contains(call.getName())))
                .because("a comparison has to be found again for each new revision: ask Revision.has");
    }

    /**
     * What a generation wants of a call is decided by the planners alone: all others carry out their plans. A dialect
     * reads its own traits, and gives the wishes.
     */
    static ArchRule callsAreDecidedOnce() {
        return noClasses()
                .that(describe("are no planner", type -> !isOfDialects(type) && !PLANNERS.contains(outermost(type))))
                .should()
                .callMethodWhere(describe(
                        "reads a trait or a wish",
                        call -> isTraitOrWish(call.getTargetOwner().getFullName())
                                || call.getTarget()
                                        .getRawReturnType()
                                        .getFullName()
                                        .equals(WISH)))
                .because("a call is decided once, and the decision travels as a value");
    }

    private static boolean isTraitOrWish(String type) {
        return type.equals(DIALECTS + ".Traits")
                || type.startsWith(DIALECTS + ".Traits$")
                || type.equals(WISH)
                || type.startsWith(WISH + "$");
    }

    private static boolean isOfDialects(JavaClass type) {
        return (type.getPackageName() + ".").startsWith(DIALECTS + ".")
                || outermost(type).equals(CALL);
    }

    /** A dialect or an extension is known to its list alone: a draft is deleted with its packages and its lines. */
    static Stream<ArchRule> draftsAreListedOnly(JavaClasses classes) {
        var lists = Set.of(
                DIALECTS + ".DialectSelector",
                DIALECTS + ".ClientDialects",
                DIALECTS + ".Drafts",
                EXTENSIONS + ".Extensions");
        return classes.stream()
                .map(JavaClass::getPackageName)
                .filter(ModuleRules::isOfOneDialect)
                .distinct()
                .map(home -> noClasses()
                        .that(describe(
                                "are neither of " + home + " nor a list",
                                type -> !type.getPackageName().equals(home) && !lists.contains(outermost(type))))
                        .should()
                        .dependOnClassesThat(describe(
                                "are of " + home, type -> type.getPackageName().equals(home)))
                        .because("what several dialects share is in " + DIALECTS + ".base"));
    }

    /**
     * Packages of one module depend on each other in one direction: each can be read without those above it. Only what
     * a door of the API uses does not count, so that rooms may use what users see.
     */
    static ArchRule noCircles(String module) {
        return SlicesRuleDefinition.slices()
                .assignedFrom(new SliceAssignment() {
                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass type) {
                        return module.equals(moduleOf(type))
                                ? SliceIdentifier.of(type.getPackageName())
                                : SliceIdentifier.ignore();
                    }

                    @Override
                    public String getDescription() {
                        return "packages of " + module;
                    }
                })
                .should()
                .beFreeOfCycles()
                .ignoreDependency(
                        describe("is a door", type -> doors(module).contains(outermost(type))),
                        DescribedPredicate.alwaysTrue())
                .allowEmptyShould(true);
    }

    private static Set<String> doorsOf(String home, String... names) {
        return Stream.of(names).map(home::concat).collect(Collectors.toSet());
    }

    private static Set<String> doors(String module) {
        return DOORS.getOrDefault(module, Set.of());
    }

    /** Packages of a module that hold more types than a head does, beside an API, which users need not read whole. */
    static Stream<String> crowdedPackages(JavaClasses classes, String module) {
        var api = doors(module).stream()
                .map(door -> door.substring(0, door.lastIndexOf('.')))
                .collect(Collectors.toSet());
        int most = module.equals("core/receiver") ? CROWD_OF_RECEIVER : CROWD;
        return classes.stream()
                .filter(type -> module.equals(moduleOf(type)) && type.isTopLevelClass())
                .filter(type -> !type.getSimpleName().equals("package-info") && !api.contains(type.getPackageName()))
                .filter(type -> !type.getPackageName().endsWith(".jmh_generated"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()))
                .entrySet()
                .stream()
                .filter(home -> home.getValue() > most)
                .map(home -> home.getKey() + " holds " + home.getValue() + " types, more than " + most);
    }

    private static boolean isRevision(JavaClass type) {
        return Set.of(DIALECTS + ".Generation", DIALECTS + ".Revision").contains(type.getName());
    }

    private static boolean isOfOneRevision(JavaClass type) {
        var selectors = Stream.of("DialectSelector", "ClientDialects", "Drafts", "Generation", "Revision");
        return isOfOneDialect(type.getPackageName())
                // A measurement is of one revision, which its title names.
                || "lab/bench".equals(moduleOf(type))
                || selectors.anyMatch(name -> outermost(type).equals(DIALECTS + "." + name));
    }

    private static boolean isOfOneDialect(String home) {
        return DIALECT.matcher(home).matches() || home.startsWith(EXTENSIONS + ".");
    }

    private static String outermost(JavaClass type) {
        return type.getName().replaceFirst("\\$.*", "");
    }

    private static ArchRule uses(String module, DescribedPredicate<JavaClass> forbidden) {
        return noClasses()
                .that(describe("are in " + module, type -> module.equals(moduleOf(type))))
                .should()
                .dependOnClassesThat(forbidden)
                .because(module + " leaves these to the modules around it")
                .allowEmptyShould(true);
    }

    private static DescribedPredicate<JavaClass> beyondReach(String module) {
        var reachable = Modules.reachable(module);
        return describe("are in a module beyond the reach of " + module, type -> {
            var other = moduleOf(type);
            return other != null && !other.equals(module) && !reachable.contains(other);
        });
    }

    /** The module whose root package is the longest that holds the class: one root package can lie inside another. */
    private static @org.jspecify.annotations.Nullable String moduleOf(JavaClass type) {
        return Modules.ROOT_PACKAGE.entrySet().stream()
                .filter(entry -> (type.getPackageName() + ".").startsWith(entry.getValue() + "."))
                .max(Comparator.comparingInt(entry -> entry.getValue().length()))
                .map(Map.Entry::getKey)
                .orElse(null);
    }
}
