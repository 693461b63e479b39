/**
 * What tests of Longhaul and of its extensions share: contracts that every implementation must pass, a clock and
 * threads under the test's control, stores that fail on demand, and a transport in memory. Published for users.
 */
@NullMarked
package io.longhaul.testkit;

import org.jspecify.annotations.NullMarked;
