"""Many runs at once, on all cores, a GPU or a cluster; kept in a store that outlives a crash."""
