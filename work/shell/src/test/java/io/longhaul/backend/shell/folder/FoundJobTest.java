// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.folder;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.backend.shell.process.Claim;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FoundJobTest {

    private static final Claim CLAIM = new Claim(7, "linux:boot:1");
    private static final Optional<String> NO_HANDLE = Optional.empty();
    private static final Optional<String> HANDLE = Optional.of("boot");
    private static final Optional<Claim> UNCLAIMED = Optional.empty();

    @Test
    void without_a_handle_and_a_claim_nothing_has_begun() {
        assertThat(FoundJob.of(NO_HANDLE, false, UNCLAIMED, "boot")).isInstanceOf(FoundJob.NotBegun.class);
        assertThat(FoundJob.of(NO_HANDLE, true, UNCLAIMED, "boot")).isInstanceOf(FoundJob.NotBegun.class);
    }

    @Test
    void a_handle_without_a_claim_may_be_started_while_the_machine_is_up() {
        assertThat(FoundJob.of(HANDLE, true, UNCLAIMED, "boot")).isInstanceOf(FoundJob.NotBegun.class);
    }

    @Test
    void after_a_restart_of_the_machine_a_missing_claim_proves_nothing() {
        assertThat(FoundJob.of(HANDLE, true, UNCLAIMED, "next boot")).isInstanceOf(FoundJob.Lost.class);
    }

    @Test
    void a_handle_whose_folder_is_gone_is_lost() {
        assertThat(FoundJob.of(HANDLE, false, UNCLAIMED, "boot")).isInstanceOf(FoundJob.Lost.class);
    }

    @Test
    void a_handle_of_another_machine_whose_folder_is_not_there_may_run_elsewhere() {
        assertThat(FoundJob.of(HANDLE, false, UNCLAIMED, "other boot")).isInstanceOf(FoundJob.Lost.class);
    }

    @Test
    void a_claimed_job_is_never_started_whatever_else_is_there() {
        var begun = new FoundJob.Begun(CLAIM);
        assertThat(FoundJob.of(HANDLE, true, Optional.of(CLAIM), "boot")).isEqualTo(begun);
        assertThat(FoundJob.of(HANDLE, true, Optional.of(CLAIM), "next boot")).isEqualTo(begun);
        assertThat(FoundJob.of(NO_HANDLE, true, Optional.of(CLAIM), "boot")).isEqualTo(begun);
    }

    @Test
    void a_job_claimed_for_nobody_is_lost() {
        assertThat(FoundJob.of(HANDLE, true, Optional.of(Claim.NOBODY), "boot")).isInstanceOf(FoundJob.Lost.class);
    }
}
