// SPDX-License-Identifier: Apache-2.0
package io.longhaul.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The model of the protocol of nodes speaks of the code: each step of it is named where the code does it. */
class ModelTest {
    private static final String MODEL = "lab/model/nodes.pml";
    private static final Pattern STEP = Pattern.compile("/\\* step:[^/]*\\*/\\s+inline (\\w+)\\(");
    private static final Pattern DONE = Pattern.compile("// model: (.*)");

    @Test
    void each_step_of_the_model_is_named_in_the_code_and_the_code_names_no_other() {
        assertThat(named()).isEqualTo(steps());
    }

    private static Set<String> steps() {
        var steps = Project.files().stream()
                .filter(file -> file.path().equals(MODEL))
                .flatMap(file -> STEP.matcher(file.text()).results())
                .map(step -> step.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(steps).hasSizeGreaterThan(20);
        return steps;
    }

    private static Set<String> named() {
        return Project.files().stream()
                .filter(TextFile::isMainJava)
                .flatMap(file -> DONE.matcher(file.text()).results())
                .flatMap(comment -> Stream.of(comment.group(1).split(", ")))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
