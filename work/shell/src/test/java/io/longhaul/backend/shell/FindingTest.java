// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class FindingTest {

    private static final Claim CLAIM = new Claim(7, "linux:boot:1");
    private static final Optional<String> NO_HANDLE = Optional.empty();
    private static final Optional<String> HANDLE = Optional.of("boot");
    private static final Optional<Claim> UNCLAIMED = Optional.empty();

    @Test
    void without_a_handle_and_a_claim_nothing_has_begun() {
        assertThat(Finding.of(NO_HANDLE, false, UNCLAIMED, "boot")).isInstanceOf(Finding.NotBegun.class);
        assertThat(Finding.of(NO_HANDLE, true, UNCLAIMED, "boot")).isInstanceOf(Finding.NotBegun.class);
    }

    @Test
    void a_handle_without_a_claim_may_be_started_while_the_machine_is_up() {
        assertThat(Finding.of(HANDLE, true, UNCLAIMED, "boot")).isInstanceOf(Finding.NotBegun.class);
    }

    @Test
    void after_a_restart_of_the_machine_a_missing_claim_proves_nothing() {
        assertThat(Finding.of(HANDLE, true, UNCLAIMED, "next boot")).isInstanceOf(Finding.Lost.class);
    }

    @Test
    void a_handle_whose_folder_is_gone_is_lost() {
        assertThat(Finding.of(HANDLE, false, UNCLAIMED, "boot")).isInstanceOf(Finding.Lost.class);
    }

    @Test
    void a_handle_of_another_machine_whose_folder_is_not_there_may_run_elsewhere() {
        assertThat(Finding.of(HANDLE, false, UNCLAIMED, "other boot")).isInstanceOf(Finding.Lost.class);
    }

    @Test
    void a_claimed_job_is_never_started_whatever_else_is_there() {
        var begun = new Finding.Begun(CLAIM);
        assertThat(Finding.of(HANDLE, true, Optional.of(CLAIM), "boot")).isEqualTo(begun);
        assertThat(Finding.of(HANDLE, true, Optional.of(CLAIM), "next boot")).isEqualTo(begun);
        assertThat(Finding.of(NO_HANDLE, true, Optional.of(CLAIM), "boot")).isEqualTo(begun);
    }

    @Test
    void a_job_claimed_for_nobody_is_lost() {
        assertThat(Finding.of(HANDLE, true, Optional.of(Claim.NOBODY), "boot")).isInstanceOf(Finding.Lost.class);
    }
}
