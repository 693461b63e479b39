/**
 * The side that asks: finds out what a server speaks, keeps its sessions, asks again where that is safe, follows tasks,
 * and answers the questions that come back.
 */
@NullMarked
package io.longhaul.requestor;

import org.jspecify.annotations.NullMarked;
