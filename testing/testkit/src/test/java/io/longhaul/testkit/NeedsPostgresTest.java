// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.testkit.NeedsPostgres.Condition;
import org.junit.jupiter.api.Test;

class NeedsPostgresTest {

    @Test
    void tests_of_postgresql_run_where_the_build_has_its_binary() {
        assertThat(Condition.result("Linux", "amd64").isDisabled()).isFalse();
    }

    @Test
    void tests_of_postgresql_are_skipped_on_other_systems() {
        assertThat(Condition.result("Linux", "aarch64").isDisabled()).isTrue();
        assertThat(Condition.result("Mac OS X", "x86_64").getReason())
                .hasValue("no PostgreSQL for Mac OS X on x86_64, its store is not tested: "
                        + "run the tests on Linux on x86-64");
    }
}
